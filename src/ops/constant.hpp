// SPDX-License-Identifier: MIT
// Constants in configurations. Keras writes an array as {"class_name": "__numpy__", "config":
// {"value": nested lists, "dtype": "float32"}} and a tensor likewise as "__tensor__"; numbers and
// lists of them stand as they are. Wherever a value may stand in the calls of a Functional model,
// this is how it is read and written.
#pragma once

#include "base/value.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// Is it an array or a tensor that says so itself?
[[nodiscard]] bool is_constant(const Value& value);
// The nested lists inside a constant, for settings that are lists; anything else as it is.
[[nodiscard]] const Value& plain_constant(const Value& value);
// As a tensor. 64 and 16 bits become 32; lists without a dtype are bool if all of it is, int32 if
// all numbers are whole, else float32.
[[nodiscard]] Tensor constant_from(const Value& value);
// A scalar becomes a number, which has no dtype in a configuration, unless it must have one.
[[nodiscard]] Value constant_value(const Tensor& tensor, bool typed_scalar = false);

}  // namespace maskflow
