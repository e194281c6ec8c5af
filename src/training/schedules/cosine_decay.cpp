// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>
#include <numbers>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class CosineDecay final : public Decay {
 public:
  CosineDecay() : Decay("CosineDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields);
    fields.field("alpha", alpha_,
                 "Final rate as a share of the rate at which the decay starts, from 0 to 1.");
    describe_name(fields);
    fields.field("warmup_target", target_,
                 "Learning rate after the warm-up, at which the decay starts; null: no warm-up.");
    fields.field("warmup_steps", warmup_, kStepsType,
                 "Number of steps of the warm-up, in which the rate changes linearly.");
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
    "CosineDecay",
    "Falls along half a cosine, after an optional warm-up (Loshchilov & Hutter 2016): rate * ((1 - "
    "alpha) * (1 + cos(pi * step / decaySteps)) / 2 + alpha)."};

}  // namespace
}  // namespace maskflow
