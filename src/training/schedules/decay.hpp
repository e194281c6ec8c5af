// SPDX-License-Identifier: MIT
#pragma once

#include "training/schedule.hpp"

namespace maskflow {

// Numbers of steps are doubles, but Keras saves them as integers.
inline constexpr TypeScript kStepsType{"number"};

// Starts at a rate and goes down in so many steps: what most schedules share.
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

// One that goes on for ever, smoothly or stair by stair.
class StepwiseDecay : public Decay {
 public:
  void describe(Fields& fields) final;

 protected:
  using Decay::Decay;
  [[nodiscard]] float rate() const { return static_cast<float>(rate_); }
  // step / decay_steps
  [[nodiscard]] float progress(float step) const;

 private:
  double rate_ = 0;
  bool staircase_ = false;
};

}  // namespace maskflow
