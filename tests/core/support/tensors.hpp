// SPDX-License-Identifier: MIT
// Tensors from literals, and comparisons that say where two tensors differ.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tensor/mask.hpp"

namespace maskflow::test {

[[nodiscard]] Tensor floats(const Shape& shape, const std::vector<float>& values);
[[nodiscard]] Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values);
[[nodiscard]] Tensor bools(const Shape& shape, const std::vector<std::uint8_t>& values);
[[nodiscard]] Tensor scalar(float value);

// Elements of any dtype as doubles: every float32 and int32 is one exactly.
[[nodiscard]] std::vector<double> numbers(const Tensor& tensor);

// x with a [batch, time] mask of the first two dimensions of x.
[[nodiscard]] Tensor masked(const Tensor& x, const std::vector<std::uint8_t>& keep);
[[nodiscard]] MaskPtr mask_of(const Shape& shape, const std::vector<std::uint8_t>& keep);

// Fine when |a - b| is at most `absolute` or at most `relative` * |b|; NaN equals NaN. Whole
// numbers must be equal.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
};
// Empty when equal; else the first difference.
[[nodiscard]] std::string difference(const Tensor& got, const Tensor& wanted,
                                     const Tolerance& tolerance);
// dtype, shape and every bit.
[[nodiscard]] testing::AssertionResult same_bits(const Tensor& got, const Tensor& wanted);
[[nodiscard]] testing::AssertionResult close(const Tensor& got, const Tensor& wanted,
                                             const Tolerance& tolerance = {});
// Both null, or equal in shape and in every element.
[[nodiscard]] testing::AssertionResult same_mask(const MaskPtr& got, const MaskPtr& wanted);

}  // namespace maskflow::test
