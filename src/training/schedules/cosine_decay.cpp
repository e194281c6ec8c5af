// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

// Loshchilov and Hutter 2016, without restarts.
class CosineDecay final : public Decay {
 public:
  CosineDecay() : Decay("CosineDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields);
    fields.field("alpha", alpha_, "What is left of the rate at the end, from 0 to 1.");
    describe_name(fields);
    fields.field("warmup_target", target_, "The rate after the warm-up; null: no warm-up.");
    fields.field("warmup_steps", warmup_, kStepsType, "Steps of the warm-up, along a line.");
  }
  [[nodiscard]] float operator()(float step) const override {
    if (!target_) return decayed(initial(), std::min(step, steps()));
    const auto target = static_cast<float>(*target_);
    const auto warmup = static_cast<float>(warmup_);
    step = std::min(step, steps() + warmup);
    if (step < warmup) return (target - initial()) * (step / warmup) + initial();
    return decayed(target, step - warmup);
  }

 private:
  [[nodiscard]] float decayed(float from, float step) const {
    const auto alpha = static_cast<float>(alpha_);
    const float cosine = 0.5F * (1 + std::cos(std::numbers::pi_v<float> * (step / steps())));
    return from * ((1 - alpha) * cosine + alpha);
  }

  double alpha_ = 0;
  std::optional<double> target_;
  double warmup_ = 0;
};

const RegisterSchedule<CosineDecay> registration{
    "CosineDecay", "Down along half a cosine, after a warm-up if there is one."};

}  // namespace
}  // namespace maskflow
