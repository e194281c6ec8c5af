// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "training/configurable.hpp"

namespace maskflow {

// What a weight must fulfil after each step.
class Constraint : public Configurable {
 public:
  // Changes the numbers of a weight in place.
  virtual void apply(float* weight, const Shape& shape) = 0;
};
using ConstraintPtr = std::shared_ptr<Constraint>;

// From a name or a configuration; null for null.
[[nodiscard]] ConstraintPtr constraint_from(const Value& value);

template <class T>
struct RegisterConstraint : RegisterConfigurable<T> {
  RegisterConstraint(const char* name, Doc doc)
      : RegisterConfigurable<T>(ConfigurableKind::kConstraint, name, doc) {}
};

}  // namespace maskflow
