// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/gemm_gradient.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// The product of rows of x with a matrix, plus a bias, as Dense and the projections of attention
// record it for the backward pass.
struct RecordedProduct {
  Tensor x, kernel;
  std::size_t rows, width_in, width;
  bool needs_x, has_bias;

  // Returns the gradients of the multiplied rows (no handle unless `needs_x`), of the kernel and,
  // with `has_bias`, of the bias. `index` lists the multiplied rows of x; null means all.
  [[nodiscard]] Tensors gradients(const Tensor& cotangent,
                                  const std::int32_t* index = nullptr) const {
    const kernels::Rows g{cotangent.floats(), width};
    Tensors result{{}, Tensor::zeros(DType::kFloat32, kernel.shape())};
    kernels::add_outer({x.floats(), width_in, index}, g, rows, width_in, width,
                       result[1].mutable_floats());
    if (needs_x) {
      result[0] = Tensor(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(width_in)});
      kernels::multiply_transposed(g, rows, kernel.floats(), width_in, width,
                                   result[0].mutable_floats());
    }
    if (!has_bias) return result;
    result.push_back(Tensor::zeros(DType::kFloat32, {static_cast<Dim>(width)}));
    kernels::add_rows(g, rows, width, result[2].mutable_floats());
    return result;
  }
};

}  // namespace maskflow
