// SPDX-License-Identifier: MIT
#include "training/constraint.hpp"

#include <utility>

#include "kernels/copy.hpp"
#include "ops/custom_function.hpp"

namespace maskflow {

namespace {

// A custom function as a constraint.
class FunctionConstraint final : public Constraint {
 public:
  explicit FunctionConstraint(CustomFunction function) : function_(std::move(function)) {}
  void describe(Fields& /*fields*/) override {}
  void apply(float* weight, const Shape& shape) override {
    const std::size_t size = shape.elements();
    const Tensor result = function_(Tensor::from<float>(shape, {weight, size}));
    kernels::copy(result.floats(), weight, size);
  }

 private:
  CustomFunction function_;
};

}  // namespace

ConstraintPtr constraint_from(const Value& value) {
  if (value.is_null()) return nullptr;
  if (CustomFunction function = CustomFunction::from_config(value); !function.empty()) {
    return std::make_shared<FunctionConstraint>(std::move(function));
  }
  return std::static_pointer_cast<Constraint>(
      deserialize_configurable(ConfigurableKind::kConstraint, value));
}

}  // namespace maskflow
