// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class PolynomialDecay final : public Decay {
 public:
  PolynomialDecay() : Decay("PolynomialDecay") {}
  void describe(Fields& fields) override {
    describe_decay(fields);
    fields.field("end_learning_rate", end_, "Learning rate after `decaySteps` steps.");
    fields.field("power", power_, "Exponent of the polynomial; 1: linear.");
    fields.field("cycle", cycle_,
                 "Whether to restart with a longer period whenever `decaySteps` is reached.");
    describe_name(fields);
  }
  [[nodiscard]] float operator()(float step) const override {
    float period = steps();
    if (cycle_) {
      period *= step == 0 ? 1 : std::ceil(step / period);
    } else {
      step = std::min(step, period);
    }
    const auto end = static_cast<float>(end_);
    return (initial() - end) * std::pow(1 - step / period, static_cast<float>(power_)) + end;
  }

 private:
  double end_ = 1e-4;
  double power_ = 1;
  bool cycle_ = false;
};

const RegisterSchedule<PolynomialDecay> registration{
    "PolynomialDecay",
    "Falls along a polynomial: (initialLearningRate - endLearningRate) * (1 - step / decaySteps) "
    "** power + endLearningRate."};

}  // namespace
}  // namespace maskflow
