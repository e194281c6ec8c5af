// SPDX-License-Identifier: MIT
// Reductions over one, several or all axes. The reduced axes are brought to the end; then each
// result is one contiguous row.
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/math.hpp"
#include "ops/ops.hpp"
#include "ops/strided.hpp"

namespace maskflow {
namespace {

struct Rows {
  Tensor x;  // [kept..., reduced...], contiguous
  Shape result;
  std::size_t count;
  std::size_t length;
};

std::vector<bool> reduced_axes(const Tensor& x, const OpAttributes& attributes) {
  std::vector<bool> reduced(static_cast<std::size_t>(x.rank()), attributes.is_null("axis"));
  if (attributes.is_null("axis")) return reduced;
  for (const Dim axis : attributes.integers("axis")) {
    reduced[static_cast<std::size_t>(normalize_axis(axis, x.rank()))] = true;
  }
  return reduced;
}

Rows rows_of(const Tensor& x, const OpAttributes& attributes) {
  const std::vector<bool> reduced = reduced_axes(x, attributes);
  const bool keepdims = attributes.flag("keepdims");
  const Strides own = strides_of(x.shape());
  Rows rows{x, {}, 1, 1};
  Shape moved;
  Strides strides{};
  bool in_order = true;
  for (const bool take_reduced : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      const auto a = static_cast<std::size_t>(axis);
      if (reduced[a] != take_reduced) continue;
      in_order = in_order && moved.rank() == axis;
      strides[static_cast<std::size_t>(moved.rank())] = own[a];
      moved.push_back(x.shape()[axis]);
      (take_reduced ? rows.length : rows.count) *= static_cast<std::size_t>(x.shape()[axis]);
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    if (!reduced[static_cast<std::size_t>(axis)]) {
      rows.result.push_back(x.shape()[axis]);
    } else if (keepdims) {
      rows.result.push_back(1);
    }
  }
  if (!in_order) rows.x = strided_copy(x, moved, strides, 0);
  return rows;
}

template <class T, class R, class F>
Tensor reduce(const Tensor& x, const OpAttributes& attributes, F&& f) {
  const Rows rows = rows_of(x, attributes);
  Tensor result(DTypeOf<R>::value, rows.result);
  const T* from = rows.x.data<T>().data();
  R* to = result.mutable_data<R>().data();
  for (std::size_t row = 0; row < rows.count; ++row)
    to[row] = f(from + row * rows.length, rows.length);
  return result;
}

// Four accumulators: faster, and more accurate than one long chain.
float sum_row(const float* x, std::size_t n) {
  using kernels::kLanes;
  using kernels::Vec;
  Vec sums[4] = {Vec(0.0F), Vec(0.0F), Vec(0.0F), Vec(0.0F)};
  std::size_t i = 0;
  for (; i + 4 * kLanes <= n; i += 4 * kLanes) {
    for (std::size_t k = 0; k < 4; ++k) sums[k] += Vec::load_unaligned(x + i + k * kLanes);
  }
  float rest = 0;
  for (; i < n; ++i) rest += x[i];
  return xsimd::reduce_add((sums[0] + sums[1]) + (sums[2] + sums[3])) + rest;
}

Tensors sum(Operands x, const OpAttributes& attributes) {
  if (x[0].dtype() == DType::kFloat32) return {reduce<float, float>(x[0], attributes, sum_row)};
  const Tensor whole = ops::cast(x[0], DType::kInt32);
  return {reduce<std::int32_t, std::int32_t>(whole, attributes,
                                             [](const std::int32_t* row, std::size_t n) {
                                               std::uint32_t total = 0;
                                               for (std::size_t i = 0; i < n; ++i)
                                                 total += static_cast<std::uint32_t>(row[i]);
                                               return static_cast<std::int32_t>(total);
                                             })};
}

template <class F>
Tensors float_reduction(Operands x, const OpAttributes& attributes, F&& f) {
  return {reduce<float, float>(ops::cast(x[0], DType::kFloat32), attributes, f)};
}

Tensors mean(Operands x, const OpAttributes& attributes) {
  return float_reduction(x, attributes, [](const float* row, std::size_t n) {
    return sum_row(row, n) / static_cast<float>(n);
  });
}

float variance_row(const float* row, std::size_t n) {
  const float mean = sum_row(row, n) / static_cast<float>(n);
  double total = 0;
  for (std::size_t i = 0; i < n; ++i) total += static_cast<double>(row[i] - mean) * (row[i] - mean);
  return static_cast<float>(total / static_cast<double>(n));
}
Tensors var(Operands x, const OpAttributes& attributes) {
  return float_reduction(x, attributes, variance_row);
}
Tensors std_deviation(Operands x, const OpAttributes& attributes) {
  return float_reduction(x, attributes, [](const float* row, std::size_t n) {
    return std::sqrt(variance_row(row, n));
  });
}
Tensors prod(Operands x, const OpAttributes& attributes) {
  return float_reduction(x, attributes, [](const float* row, std::size_t n) {
    float product = 1;
    for (std::size_t i = 0; i < n; ++i) product *= row[i];
    return product;
  });
}
Tensors logsumexp(Operands x, const OpAttributes& attributes) {
  return float_reduction(x, attributes, [](const float* row, std::size_t n) {
    const float top = n == 0 ? 0 : *std::max_element(row, row + n);
    if (!std::isfinite(top)) return top;
    float total = 0;
    for (std::size_t i = 0; i < n; ++i) total += std::exp(row[i] - top);
    return top + std::log(total);
  });
}

void require_elements(std::size_t n) {
  if (n == 0) value_error("there is nothing to reduce: the axis has size 0");
}

// The index of the best element; NaN counts as best, as in NumPy.
template <bool kLargest>
std::size_t best(const float* row, std::size_t n) {
  require_elements(n);
  std::size_t at = 0;
  for (std::size_t i = 1; i < n && !std::isnan(row[at]); ++i) {
    if (std::isnan(row[i]) || (kLargest ? row[i] > row[at] : row[i] < row[at])) at = i;
  }
  return at;
}

template <bool kLargest>
Tensors extreme(Operands x, const OpAttributes& attributes) {
  if (x[0].dtype() == DType::kFloat32) {
    return {reduce<float, float>(x[0], attributes, [](const float* row, std::size_t n) {
      return row[best<kLargest>(row, n)];
    })};
  }
  const Tensor whole = ops::cast(x[0], DType::kInt32);
  const Tensor result = reduce<std::int32_t, std::int32_t>(
      whole, attributes, [](const std::int32_t* row, std::size_t n) {
        require_elements(n);
        return kLargest ? *std::max_element(row, row + n) : *std::min_element(row, row + n);
      });
  return {ops::cast(result, x[0].dtype())};
}

template <bool kLargest>
Tensors arg_extreme(Operands x, const OpAttributes& attributes) {
  return {reduce<float, std::int32_t>(ops::cast(x[0], DType::kFloat32), attributes,
                                      [](const float* row, std::size_t n) {
                                        return static_cast<std::int32_t>(best<kLargest>(row, n));
                                      })};
}

Tensors any(Operands x, const OpAttributes& attributes) {
  return {reduce<std::uint8_t, std::uint8_t>(
      ops::cast(x[0], DType::kBool), attributes, [](const std::uint8_t* row, std::size_t n) {
        return static_cast<std::uint8_t>(std::find(row, row + n, 1) != row + n);
      })};
}
Tensors all(Operands x, const OpAttributes& attributes) {
  return {reduce<std::uint8_t, std::uint8_t>(
      ops::cast(x[0], DType::kBool), attributes, [](const std::uint8_t* row, std::size_t n) {
        return static_cast<std::uint8_t>(std::find(row, row + n, 0) == row + n);
      })};
}
Tensors count_nonzero(Operands x, const OpAttributes& attributes) {
  return {reduce<std::uint8_t, std::int32_t>(
      ops::cast(x[0], DType::kBool), attributes, [](const std::uint8_t* row, std::size_t n) {
        return static_cast<std::int32_t>(std::count(row, row + n, 1));
      })};
}

Tensors cumsum(Operands operands, const OpAttributes& attributes) {
  const Tensor x = ops::cast(operands[0], DType::kFloat32);
  const int axis = normalize_axis(attributes.integer("axis"), x.rank());
  const auto inner = static_cast<std::size_t>(x.shape().size_between(axis + 1, x.rank()));
  const auto length = static_cast<std::size_t>(x.shape()[axis]);
  Tensor result = Tensor::from<float>(x.shape(), x.data<float>());
  const std::span<float> out = result.mutable_data<float>();
  for (std::size_t i = inner; i < out.size(); ++i) {
    if (i / inner % length != 0) out[i] += out[i - inner];
  }
  return {operands[0].dtype() == DType::kFloat32 ? result : ops::cast(result, DType::kInt32)};
}

struct Entry {
  std::string_view name;
  std::string_view doc;
  Tensors (*compute)(Operands, const OpAttributes&);
};

constexpr Entry kEntries[] = {
    {"Sum", "The sum.", sum},
    {"Mean", "The mean, in float32.", mean},
    {"Max", "The largest element; NaN if one is.", extreme<true>},
    {"Min", "The smallest element; NaN if one is.", extreme<false>},
    {"Prod", "The product, in float32.", prod},
    {"Any", "Is one element non-zero?", any},
    {"All", "Are all elements non-zero?", all},
    {"Var", "The variance (divided by n).", var},
    {"Std", "The standard deviation (divided by n).", std_deviation},
    {"Argmax", "The index of the largest element, the first of equals.", arg_extreme<true>},
    {"Argmin", "The index of the smallest element, the first of equals.", arg_extreme<false>},
    {"Logsumexp", "log of the sum of e^x, without overflow.", logsumexp},
    {"CountNonzero", "How many elements are non-zero.", count_nonzero},
};

const bool registered = [] {
  for (const Entry& entry : kEntries) {
    RegisterOp(
        {entry.name,
         "x",
         {{"axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}},
          {"keepdims", "boolean", "Keep the reduced axes with size 1.", false, false}},
         entry.doc,
         entry.compute});
  }
  RegisterOp({"Cumsum",
              "x",
              {{"axis", "number", "Axis to add along.", true, {}}},
              "Running sums along an axis.",
              cumsum});
  return true;
}();

}  // namespace
}  // namespace maskflow
