// SPDX-License-Identifier: MIT
#include "training/constraint.hpp"

namespace maskflow {
namespace {

class NonNeg final : public Constraint {
 public:
  void describe(Fields& /*fields*/) override {}
  void apply(float* weight, const Shape& shape) override {
    const std::size_t size = shape.elements();
    // The comparison is written so that NaN stays NaN and is not hidden.
    for (std::size_t i = 0; i < size; ++i) weight[i] = weight[i] < 0 ? 0 : weight[i];
  }
};

const RegisterConstraint<NonNeg> registration{"NonNeg", "Sets negative elements to 0."};

}  // namespace
}  // namespace maskflow
