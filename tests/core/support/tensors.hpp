// SPDX-License-Identifier: MIT
// Tensors from literals, and comparisons that report where two tensors differ.
#pragma once

#include <gtest/gtest.h>

#include <vector>

#include "tensor/mask.hpp"

namespace maskflow::test {

[[nodiscard]] Tensor floats(const Shape& shape, const std::vector<float>& values);
[[nodiscard]] Tensor ints(const Shape& shape, const std::vector<std::int32_t>& values);
[[nodiscard]] Tensor bools(const Shape& shape, const std::vector<std::uint8_t>& values);
[[nodiscard]] Tensor scalar(float value);

// Returns the elements of any dtype as doubles, which represent every float32 and int32 exactly.
[[nodiscard]] std::vector<double> numbers(const Tensor& tensor);

// Returns x with a mask of its first two dimensions, [batch, time].
[[nodiscard]] Tensor masked(const Tensor& x, const std::vector<std::uint8_t>& keep);
[[nodiscard]] MaskPtr mask_of(const Shape& shape, const std::vector<std::uint8_t>& keep);

// Limits of a comparison. Floats are close if |a - b| is at most `absolute` or at most `relative` *
// |b|; NaN equals NaN. Integers must be equal.
struct Tolerance {
  double relative = 1e-5;
  double absolute = 1e-6;
};
// Describes the first difference; empty if the tensors are close.
[[nodiscard]] std::string difference(const Tensor& actual, const Tensor& expected,
                                     const Tolerance& tolerance);
// Succeeds if dtype, shape and all bits are equal.
[[nodiscard]] testing::AssertionResult same_bits(const Tensor& actual, const Tensor& expected);
[[nodiscard]] testing::AssertionResult close(const Tensor& actual, const Tensor& expected,
                                             const Tolerance& tolerance = {});
// Succeeds if both masks are null, or equal in shape and all elements.
[[nodiscard]] testing::AssertionResult same_mask(const MaskPtr& actual, const MaskPtr& expected);

}  // namespace maskflow::test
