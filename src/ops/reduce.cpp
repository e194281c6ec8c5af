// SPDX-License-Identifier: MIT
// Reductions over one, several or all axes. The reduced axes are moved to the end, so that each
// result is computed from one contiguous row.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <optional>

#include "kernels/math.hpp"
#include "kernels/row_sum.hpp"
#include "ops/ops.hpp"
#include "ops/running.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

struct Rows {
  Tensor x;  // The operand as a contiguous tensor [kept..., reduced...].
  Shape result;
  std::size_t count;
  std::size_t length;
};

Rows rows_of(const Tensor& x, const OpAttributes& attributes) {
  const std::vector<bool> reduced = listed_axes(x.rank(), attributes);
  const bool keepdims = attributes.flag("keepdims");
  const Strides x_strides = strides_of(x.shape());
  Rows rows{x, {}, 1, 1};
  Shape moved;
  Strides strides{};
  bool in_order = true;
  for (const bool take_reduced : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      const auto a = at(axis);
      if (reduced[a] != take_reduced) continue;
      in_order = in_order && moved.rank() == axis;
      strides[at(moved.rank())] = x_strides[a];
      moved.push_back(x.shape()[axis]);
      (take_reduced ? rows.length : rows.count) *= x.shape().length(axis);
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[at(axis)]) {
      rows.result.push_back(x.shape()[axis]);
    } else if (keepdims) {
      rows.result.push_back(1);
    }
  }
  if (!in_order) rows.x = strided_copy(x, moved, strides, 0);
  return rows;
}

// Reduces one row of n elements of the operand's dtype to one element of the result's.
using RowReduction = void (*)(const void* row, std::size_t n, void* out);

Tensor reduce(const Tensor& x, const OpAttributes& attributes, DType dtype, RowReduction f) {
  const Rows rows = rows_of(x, attributes);
  Tensor result(dtype, rows.result);
  const std::size_t length = rows.length * size_of(x.dtype());
  std::byte* const to = result.mutable_raw();
  for (std::size_t row = 0; row < rows.count; ++row) {
    f(rows.x.raw() + row * length, rows.length, to + row * size_of(dtype));
  }
  return result;
}

// Calls F, a function R(const T*, std::size_t), as a RowReduction.
template <auto F>
struct Reduction;
template <class T, class R, R (*F)(const T*, std::size_t)>
struct Reduction<F> {
  static void row(const void* row, std::size_t n, void* out) {
    *static_cast<R*>(out) = F(static_cast<const T*>(row), n);
  }
};

// The functions of a reduction, by the dtype of their operand.
struct Reducer {
  RowReduction floats = nullptr;
  RowReduction ints = nullptr;   // If null, integers are converted to floats first.
  RowReduction bools = nullptr;  // If set, all operands are converted to bool first.
  // Dtype of the result; by default the operand's, where bool counts as int32.
  std::optional<DType> result = std::nullopt;
};

float sum_row(const float* x, std::size_t n) { return kernels::row_sum(x, n); }

std::int32_t int_sum_row(const std::int32_t* row, std::size_t n) {
  std::uint32_t total = 0;
  for (std::size_t i = 0; i < n; ++i) total += static_cast<std::uint32_t>(row[i]);
  return static_cast<std::int32_t>(total);
}

float mean_row(const float* row, std::size_t n) { return sum_row(row, n) / static_cast<float>(n); }

float variance_row(const float* row, std::size_t n) {
  const float mean = sum_row(row, n) / static_cast<float>(n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += static_cast<double>(row[i] - mean) * (row[i] - mean);
  return static_cast<float>(total / static_cast<double>(n));
}
float deviation_row(const float* row, std::size_t n) { return std::sqrt(variance_row(row, n)); }

float product_row(const float* row, std::size_t n) {
  float product = 1;
  for (std::size_t i = 0; i < n; ++i) product *= row[i];
  return product;
}
std::int32_t int_product_row(const std::int32_t* row, std::size_t n) {
  std::uint32_t product = 1;
  for (std::size_t i = 0; i < n; ++i) product *= static_cast<std::uint32_t>(row[i]);
  return static_cast<std::int32_t>(product);
}

void require_elements(std::size_t n) {
  if (n == 0) value_error("cannot reduce an axis of size 0");
}

// Returns the index of the largest or smallest element. As in NumPy, a NaN wins.
template <bool kLargest, class T>
std::size_t extreme_index(const T* row, std::size_t n) {
  require_elements(n);
  const auto is_nan = [](T x) { return x != x; };
  std::size_t best = 0;
  for (std::size_t i = 1; i < n && !is_nan(row[best]); ++i) {
    if (is_nan(row[i]) || (kLargest ? row[i] > row[best] : row[i] < row[best])) best = i;
  }
  return best;
}

template <bool kLargest, class T>
T extreme_row(const T* row, std::size_t n) {
  return row[extreme_index<kLargest>(row, n)];
}
// A NaN wins over an infinity, wherever it is.
float logsumexp_row(const float* row, std::size_t n) {
  const float top = n == 0 ? 0 : extreme_row<true>(row, n);
  if (!std::isfinite(top)) return top;
  float total = 0;
  for (std::size_t i = 0; i < n; ++i) total += std::exp(row[i] - top);
  return top + std::log(total);
}
template <bool kLargest, class T>
std::int32_t index_row(const T* row, std::size_t n) {
  return static_cast<std::int32_t>(extreme_index<kLargest>(row, n));
}

std::int32_t count_row(const std::uint8_t* row, std::size_t n) {
  std::int32_t count = 0;
  for (std::size_t i = 0; i < n; ++i) count += static_cast<std::int32_t>(row[i] != 0);
  return count;
}
std::uint8_t any_row(const std::uint8_t* row, std::size_t n) { return count_row(row, n) != 0; }
std::uint8_t all_row(const std::uint8_t* row, std::size_t n) {
  return count_row(row, n) == static_cast<std::int32_t>(n);
}

Tensors compute(Operands operands, const OpAttributes& attributes) {
  const Reducer& reducer = *static_cast<const Reducer*>(attributes.op().kernel);
  const DType source = operands[0].dtype();
  const DType dtype = reducer.bools != nullptr                               ? DType::kBool
                      : source == DType::kFloat32 || reducer.ints == nullptr ? DType::kFloat32
                                                                             : DType::kInt32;
  const RowReduction row = dtype == DType::kFloat32 ? reducer.floats
                           : dtype == DType::kInt32 ? reducer.ints
                                                    : reducer.bools;
  return {reduce(ops::cast(operands[0], dtype), attributes, reducer.result.value_or(dtype), row)};
}

// Reduces to the largest or smallest element; those of bools are bools, too.
Tensors extreme(Operands operands, const OpAttributes& attributes) {
  return {ops::cast(compute(operands, attributes).front(), operands[0].dtype())};
}

Tensors product(Operands operands, const OpAttributes& attributes) {
  Tensor x = operands[0];
  if (!attributes.is_null("dtype")) x = ops::cast(x, attributes.dtype("dtype"));
  return compute({&x, 1}, attributes);
}

Tensors cumsum(Operands operands, const OpAttributes& attributes) {
  return {ops::running<std::plus<>>(operands[0], attributes)};
}

constexpr Reducer kSum{Reduction<sum_row>::row, Reduction<int_sum_row>::row};
constexpr Reducer kMean{Reduction<mean_row>::row};
constexpr Reducer kMax{Reduction<extreme_row<true, float>>::row,
                       Reduction<extreme_row<true, std::int32_t>>::row};
constexpr Reducer kMin{Reduction<extreme_row<false, float>>::row,
                       Reduction<extreme_row<false, std::int32_t>>::row};
constexpr Reducer kProd{Reduction<product_row>::row, Reduction<int_product_row>::row};
constexpr Reducer kVar{Reduction<variance_row>::row};
constexpr Reducer kStd{Reduction<deviation_row>::row};
constexpr Reducer kLogsumexp{Reduction<logsumexp_row>::row};
// Integers have their own functions, because neighbouring integers may be equal in float32.
constexpr Reducer kArgmax{Reduction<index_row<true, float>>::row,
                          Reduction<index_row<true, std::int32_t>>::row, nullptr, DType::kInt32};
constexpr Reducer kArgmin{Reduction<index_row<false, float>>::row,
                          Reduction<index_row<false, std::int32_t>>::row, nullptr, DType::kInt32};
constexpr Reducer kAny{nullptr, nullptr, Reduction<any_row>::row};
constexpr Reducer kAll{nullptr, nullptr, Reduction<all_row>::row};
constexpr Reducer kCount{nullptr, nullptr, Reduction<count_row>::row, DType::kInt32};

constexpr OpAttribute kAxes[] = {
    {"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}},
    {"keepdims", "boolean", "Whether to keep the reduced axes with size 1.", false, false},
};
constexpr OpAttribute kDtype = {
    "dtype", "DType | null", "dtype of the result; null: that of x.", false, {}};
constexpr OpAttribute kProductSettings[] = {kAxes[0], kAxes[1], kDtype};
constexpr OpAttribute kRunningSettings[] = {
    {"axis", "number | null", "Axis along which to sum; null: x is flattened.", false, {}}, kDtype};

constexpr OpDef kOps[] = {
    {"Sum", "x", kAxes, "The sum. Integers wrap.", compute, &kSum},
    {"Mean", "x", kAxes, "The mean, in float32.", compute, &kMean},
    {"Max", "x", kAxes, "The largest element; NaN if one is NaN.", extreme, &kMax},
    {"Min", "x", kAxes, "The smallest element; NaN if one is NaN.", extreme, &kMin},
    {"Prod", "x", kProductSettings, "The product. Integers wrap.", product, &kProd},
    {"Any", "x", kAxes, "Whether at least one element is non-zero.", compute, &kAny},
    {"All", "x", kAxes, "Whether all elements are non-zero.", compute, &kAll},
    {"Var", "x", kAxes,
     "The population variance: squared deviations from the mean, divided by their number.", compute,
     &kVar},
    {"Std", "x", kAxes, "The population standard deviation: the square root of the variance.",
     compute, &kStd},
    {"Argmax", "x", kAxes, "The index of the largest element; the first of equal elements.",
     compute, &kArgmax},
    {"Argmin", "x", kAxes, "The index of the smallest element; the first of equal elements.",
     compute, &kArgmin},
    {"Logsumexp", "x", kAxes, "The logarithm of the sum of e^x, without overflow.", compute,
     &kLogsumexp},
    {"CountNonzero", "x", kAxes, "The number of non-zero elements.", compute, &kCount},
    {"Cumsum", "x", kRunningSettings, "The cumulative sums along an axis.", cumsum},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
