// SPDX-License-Identifier: MIT
#include <cmath>

#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class ExponentialDecay final : public StepwiseDecay {
 public:
  ExponentialDecay() : StepwiseDecay("ExponentialDecay") {}
  [[nodiscard]] float operator()(float step) const override {
    return initial() * std::pow(rate(), progress(step));
  }
};

const RegisterSchedule<ExponentialDecay> registration{
    "ExponentialDecay",
    "Falls exponentially: initialLearningRate * decayRate ** (step / decaySteps)."};

}  // namespace
}  // namespace maskflow
