// SPDX-License-Identifier: MIT
// How a model converts its inputs to what its `Input`s declare.
#pragma once

#include <string_view>

#include "tensor/tensor.hpp"

namespace maskflow {

// Throws ShapeError unless the dimensions equal the declared ones. The batch has any size, unknown
// dimensions fit, and a last axis of size 1, of the input or of the spec, is not compared.
void check_dims(const Shape& shape, const Shape& expected, std::string_view name);

// Returns an input with the rank and the dtype of the spec, and with its mask. As in Keras, a last
// axis of size 1 may be missing or extra; other ranks throw ShapeError.
[[nodiscard]] Tensor fit_input(Tensor value, const TensorSpec& spec, std::string_view name);

}  // namespace maskflow
