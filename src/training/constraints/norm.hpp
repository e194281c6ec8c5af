// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/floats.hpp"
#include "training/constraint.hpp"

namespace maskflow {

// Scales the vectors of a weight by a factor of their norm. A vector extends along one axis, or
// along several axes together.
class NormConstraint : public Constraint {
 public:
  void apply(float* weight, const Shape& shape) final;
  void check_config() const override;

 protected:
  void describe_axis(Fields& fields) {
    fields.field("axis", axis_, TypeScript{"number | readonly number[]"},
                 "Axis along which a vector extends, or several axes. For a kernel of shape "
                 "[inputs, units], 0 means one norm for each unit.");
  }
  // Returns the factor for a vector of this norm.
  [[nodiscard]] virtual float factor(float norm) const = 0;
  // Keras's epsilon, which prevents NaN for a vector of zeros.
  static constexpr float kEpsilon = 1e-7F;

 private:
  Value axis_ = 0;
  kernels::Floats norms_;  // Kept between steps, so that a step allocates nothing.
};

}  // namespace maskflow
