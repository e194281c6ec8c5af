// SPDX-License-Identifier: MIT
// Constants in the configs of Functional models and of initializers. Keras writes an array as
// {"class_name": "__numpy__", "config": {"value": nested lists, "dtype": "float32"}}, and a tensor
// in the same form as "__tensor__". Numbers and lists of numbers are written directly.
#pragma once

#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Returns whether a value is an array or a tensor in this form.
[[nodiscard]] bool is_constant(const Value& value);
// Returns the nested lists of a constant, for settings that are lists; any other value unchanged.
[[nodiscard]] const Value& plain_constant(const Value& value);
// Reads a constant as a tensor. Numbers of 64 and 16 bits become 32. Lists without a dtype are bool
// if all items are, int32 if all numbers are integers, else float32.
[[nodiscard]] Tensor constant_from(const Value& value);
// Writes a tensor as a constant. A scalar becomes a plain number, which has no dtype in a config,
// unless `typed_scalar` asks for one.
[[nodiscard]] Value constant_value(const Tensor& tensor, bool typed_scalar = false);

}  // namespace maskflow
