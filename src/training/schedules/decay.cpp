// SPDX-License-Identifier: MIT
#include "training/schedules/decay.hpp"

#include <cmath>

namespace maskflow {

void Decay::describe_decay(Fields& fields, Name steps_name) {
  fields.field("initial_learning_rate", initial_, "Learning rate of step 0.", FieldKind::kRequired);
  fields.field(steps_name, steps_, kStepsType, "Number of steps of the decay; above 0.",
               FieldKind::kRequired);
  if (fields.is_reading()) require_positive(steps_name, steps_);
}

void StepwiseDecay::describe(Fields& fields) {
  describe_decay(fields);
  fields.field("decay_rate", rate_,
               "How much the rate decays in `decaySteps` steps; see the formula.",
               FieldKind::kRequired);
  fields.field("staircase", staircase_,
               "Whether the rate changes only after each `decaySteps` steps.");
  describe_name(fields);
}

float StepwiseDecay::progress(float step) const {
  const float progress = step / steps();
  return staircase_ ? std::floor(progress) : progress;
}

}  // namespace maskflow
