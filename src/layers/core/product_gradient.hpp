// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/gemm_gradient.hpp"
#include "tensor/tensor.hpp"

namespace maskflow {

// The way back of rows of x times a matrix, plus a bias: what Dense and attention's projections
// record.
struct RecordedProduct {
  Tensor x, kernel;
  std::size_t rows, width_in, width;
  bool needs_x, has_bias;

  // Of the rows that were multiplied, of the kernel and of the bias. `index`: which rows of x they
  // are; null: all.
  [[nodiscard]] Tensors back(const Tensor& cotangent, const std::int32_t* index = nullptr) const {
    const kernels::Rows g{cotangent.floats(), width};
    Tensors gradients{{}, Tensor::zeros(DType::kFloat32, kernel.shape())};
    kernels::add_outer({x.floats(), width_in, index}, g, rows, width_in, width,
                       gradients[1].mutable_floats());
    if (needs_x) {
      gradients[0] = Tensor(DType::kFloat32, {static_cast<Dim>(rows), static_cast<Dim>(width_in)});
      kernels::multiply_transposed(g, rows, kernel.floats(), width_in, width,
                                   gradients[0].mutable_floats());
    }
    if (!has_bias) return gradients;
    gradients.push_back(Tensor::zeros(DType::kFloat32, {static_cast<Dim>(width)}));
    kernels::add_rows(g, rows, width, gradients[2].mutable_floats());
    return gradients;
  }
};

}  // namespace maskflow
