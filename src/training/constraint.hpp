// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "training/configurable.hpp"

namespace maskflow {

// A condition that a weight must fulfil after each step of an optimizer.
class Constraint : public Configurable {
 public:
  // Changes the elements of a weight in place.
  virtual void apply(float* weight, const Shape& shape) = 0;
};
using ConstraintPtr = std::shared_ptr<Constraint>;

// Creates a constraint from a name or a configuration; returns null for null.
[[nodiscard]] ConstraintPtr constraint_from(const Value& value);

template <class T>
struct RegisterConstraint : RegisterConfigurable<T> {
  RegisterConstraint(const char* name, Doc doc)
      : RegisterConfigurable<T>(ConfigurableKind::kConstraint, name, doc) {}
};

}  // namespace maskflow
