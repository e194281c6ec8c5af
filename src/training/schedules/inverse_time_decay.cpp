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
    "InverseTimeDecay", "initial_learning_rate / (1 + decay_rate step / decay_steps)."};

}  // namespace
}  // namespace maskflow
