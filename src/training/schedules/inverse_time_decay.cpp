// SPDX-License-Identifier: MIT
#include "training/schedules/decay.hpp"

namespace maskflow {
namespace {

class InverseTimeDecay final : public StepwiseDecay {
 public:
  InverseTimeDecay() : StepwiseDecay("InverseTimeDecay") {}
  [[nodiscard]] float operator()(float step) const override {
    return initial() / (1 + rate() * progress(step));
  }
};

const RegisterSchedule<InverseTimeDecay> registration{
    "InverseTimeDecay",
    "Falls in inverse proportion to time: initialLearningRate / (1 + decayRate * step / "
    "decaySteps)."};

}  // namespace
}  // namespace maskflow
