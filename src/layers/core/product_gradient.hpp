// SPDX-License-Identifier: MIT
#pragma once

#include "tensor/tensor.hpp"

namespace maskflow {

// The product of rows of x with a matrix, plus a bias, as Dense and the projections of attention
// record it for the backward pass.
struct RecordedProduct {
  Tensor x, kernel;
  std::size_t rows, width_in, width;
  bool needs_x, has_bias;

  // Returns the gradients of the multiplied rows (no handle unless `needs_x`), of the kernel and,
  // with `has_bias`, of the bias. `index` lists the multiplied rows of x; null means all. Skips
  // rows with a cotangent of zeros, such as masked steps that a loss leaves out.
  [[nodiscard]] Tensors gradients(const Tensor& cotangent,
                                  const std::int32_t* index = nullptr) const;
};

}  // namespace maskflow
