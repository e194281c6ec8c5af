// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/floats.hpp"
#include "training/constraint.hpp"

namespace maskflow {

// Scales vectors of a weight by their norms: those along one axis, or along several together.
class NormConstraint : public Constraint {
 public:
  void apply(float* weight, const Shape& shape) final;
  void check_config() const override;

 protected:
  void describe_axis(Fields& fields) {
    fields.field("axis", axis_, TypeScript{"number | readonly number[]"},
                 "Axis of the vectors, or axes.");
  }
  // What a vector of that norm is multiplied by.
  [[nodiscard]] virtual float factor(float norm) const = 0;
  // Keras's epsilon: a vector of zeros stays one.
  static constexpr float kEpsilon = 1e-7F;

 private:
  Value axis_ = 0;
  kernels::Floats norms_;  // kept, so that a step asks for no memory
};

}  // namespace maskflow
