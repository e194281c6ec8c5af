// SPDX-License-Identifier: MIT
#include "training/constraint.hpp"

namespace maskflow {

ConstraintPtr constraint_from(const Value& value) {
  if (value.is_null()) return nullptr;
  return std::static_pointer_cast<Constraint>(
      deserialize_configurable(ConfigurableKind::kConstraint, value));
}

}  // namespace maskflow
