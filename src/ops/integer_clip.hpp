// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "kernels/activation.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// An activation function that only selects and clips numbers. As in Keras, it returns integers for
// integers.
struct IntegerClip {
  double low, high;
  double threshold;  // Numbers up to it become 0.
};

// Returns the bounds of a function; null if it computes fractions.
[[nodiscard]] std::optional<IntegerClip> integer_clip(
    std::string_view function, const kernels::ActivationParameters& parameters);
// Returns the clipped numbers of an int32 tensor.
[[nodiscard]] Tensor clip_integers(const Tensor& x, const IntegerClip& clip);

}  // namespace maskflow
