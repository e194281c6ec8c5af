// SPDX-License-Identifier: MIT
#include "training/schedules/decay.hpp"

#include <cmath>

namespace maskflow {

void Decay::describe_decay(Fields& fields, Name steps_name) {
  fields.field("initial_learning_rate", initial_, "The rate at the first step.",
               FieldKind::kRequired);
  fields.field(steps_name, steps_, kStepsType, "In how many steps it decays; above 0.",
               FieldKind::kRequired);
  if (fields.is_reading()) require_positive(steps_name, steps_);
}

void StepwiseDecay::describe(Fields& fields) {
  describe_decay(fields);
  fields.field("decay_rate", rate_, "How much it decays in that many steps.", FieldKind::kRequired);
  fields.field("staircase", staircase_, "At once after each `decay_steps`, not step by step?");
  describe_name(fields);
}

float StepwiseDecay::progress(float step) const {
  const float progress = step / steps();
  return staircase_ ? std::floor(progress) : progress;
}

}  // namespace maskflow
