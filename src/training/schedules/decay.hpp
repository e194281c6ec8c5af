// SPDX-License-Identifier: MIT
#pragma once

#include "training/schedule.hpp"

namespace maskflow {

// TypeScript type of a number of steps: a double that saved files write as an integer.
inline constexpr TypeScript kStepsType{"number"};

// A schedule with an initial rate and a number of steps.
class Decay : public Schedule {
 protected:
  using Schedule::Schedule;
  void describe_decay(Fields& fields, Name steps_name = "decay_steps");
  [[nodiscard]] float initial() const { return static_cast<float>(initial_); }
  [[nodiscard]] float steps() const { return static_cast<float>(steps_); }

 private:
  double initial_ = 0;
  double steps_ = 1;
};

// A decay that never ends, at each step or once per `decay_steps`.
class StepwiseDecay : public Decay {
 public:
  void describe(Fields& fields) final;

 protected:
  using Decay::Decay;
  [[nodiscard]] float rate() const { return static_cast<float>(rate_); }
  // Returns step / decay_steps, rounded down for a staircase.
  [[nodiscard]] float progress(float step) const;

 private:
  double rate_ = 0;
  bool staircase_ = false;
};

}  // namespace maskflow
