// SPDX-License-Identifier: MIT
#include "layers/core/product_gradient.hpp"

#include <vector>

#include "kernels/gemm_gradient.hpp"
#include "kernels/scan.hpp"
#include "ops/tape.hpp"

namespace maskflow {
namespace {

using kernels::Rows;

// Rows of a product whose cotangents are not all zeros, and the same rows of x.
struct UsedRows {
  std::vector<std::int32_t> cotangents, x;
};

// Empty if every row must be computed. A factor that is not finite makes the gradient NaN, even if
// the cotangent is 0.
UsedRows used_rows(const RecordedProduct& product, const Rows& g, const Rows& x) {
  UsedRows used;
  for (std::size_t row = 0; row < product.rows; ++row) {
    if (kernels::all_zero(g[row], product.width)) {
      if (!kernels::all_finite(x[row], product.width_in)) return {};
      continue;
    }
    used.cotangents.push_back(static_cast<std::int32_t>(row));
    used.x.push_back(x.index == nullptr ? used.cotangents.back() : x.index[row]);
  }
  const bool skips_rows = used.x.size() < product.rows;
  const bool is_exact =
      skips_rows &&
      (!product.needs_x || kernels::all_finite(product.kernel.floats(), product.kernel.size()));
  return is_exact ? used : UsedRows();
}

}  // namespace

Tensors RecordedProduct::gradients(const Tensor& cotangent, const std::int32_t* index) const {
  Rows g{cotangent.floats(), width};
  Rows from{x.floats(), width_in, index};
  const UsedRows used = used_rows(*this, g, from);
  const std::size_t count = used.x.empty() ? rows : used.x.size();
  if (count < rows) {
    g.index = used.cotangents.data();
    from.index = used.x.data();
  }
  Tensors result{{}, Tensor::zeros(DType::kFloat32, kernel.shape())};
  kernels::add_outer(from, g, count, width_in, width, result[1].mutable_floats());
  if (needs_x) {
    Tensor rows_of_x(DType::kFloat32, {static_cast<Dim>(count), static_cast<Dim>(width_in)});
    kernels::multiply_transposed(g, count, kernel.floats(), width_in, width,
                                 rows_of_x.mutable_floats());
    const Shape all{static_cast<Dim>(rows), static_cast<Dim>(width_in)};
    result[0] = count < rows ? scatter_rows(rows_of_x, used.cotangents, all) : rows_of_x;
  }
  if (!has_bias) return result;
  result.push_back(Tensor::zeros(DType::kFloat32, {static_cast<Dim>(width)}));
  kernels::add_rows(g, count, width, result[2].mutable_floats());
  return result;
}

}  // namespace maskflow
