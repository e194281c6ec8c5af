// SPDX-License-Identifier: MIT
#include <cmath>
#include <numbers>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

// Loshchilov and Hutter 2016.
class CosineDecayRestarts final : public Decay {
 public:
  CosineDecayRestarts() : Decay("SGDRDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields, "first_decay_steps");
    fields.field("t_mul", longer_, "How much longer each period is than the one before.");
    fields.field("m_mul", lower_, "At which part of its rate each period starts.");
    fields.field("alpha", alpha_, "What is left of the rate at the end, from 0 to 1.");
    describe_name(fields);
  }
  [[nodiscard]] float operator()(float step) const override {
    const auto longer = static_cast<float>(longer_);
    float progress = step / steps();
    float restarts;
    if (longer == 1) {
      restarts = std::floor(progress);
      progress -= restarts;
    } else {
      restarts = std::floor(std::log(1 - progress * (1 - longer)) / std::log(longer));
      const float length = std::pow(longer, restarts);
      progress = (progress - (1 - length) / (1 - longer)) / length;
    }
    const auto alpha = static_cast<float>(alpha_);
    const float cosine = 0.5F * std::pow(static_cast<float>(lower_), restarts) *
                         (1 + std::cos(std::numbers::pi_v<float> * progress));
    return initial() * ((1 - alpha) * cosine + alpha);
  }

 private:
  double longer_ = 2;
  double lower_ = 1;
  double alpha_ = 0;
};

const RegisterSchedule<CosineDecayRestarts> registration{
    "CosineDecayRestarts", "Down along half a cosine, again and again."};

}  // namespace
}  // namespace maskflow
