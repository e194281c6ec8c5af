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
    "ExponentialDecay", "initial_learning_rate decay_rate ^ (step / decay_steps)."};

}  // namespace
}  // namespace maskflow
