// SPDX-License-Identifier: MIT
#include "ops/sorting.hpp"

#include <algorithm>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Whether the element at `a` is less than the one at `b`; T is the type of the elements.
template <class T>
bool is_less_at(const std::byte* values, std::size_t a, std::size_t b) {
  const T* const numbers = reinterpret_cast<const T*>(values);
  return is_less(numbers[a], numbers[b]);
}

}  // namespace

Tensor sorting_order(const Tensor& operand, int axis, bool descending) {
  const bool is_float = operand.dtype() == DType::kFloat32;
  const Tensor x = is_float ? operand : ops::cast(operand, DType::kInt32);
  const auto less = is_float ? is_less_at<float> : is_less_at<std::int32_t>;
  const std::size_t inner = x.shape().elements_between(axis + 1, x.rank());
  const std::size_t length = x.shape().length(axis);
  Tensor result(DType::kInt32, x.shape());
  const std::byte* const values = x.raw();
  const std::span<std::int32_t> out = result.mutable_data<std::int32_t>();
  std::vector<std::int32_t> order(length);
  for (std::size_t row = 0; row * length < out.size(); ++row) {
    const std::size_t first = row / inner * inner * length + row % inner;
    for (std::size_t i = 0; i < length; ++i) order[i] = static_cast<std::int32_t>(i);
    merge_sort(order, [&](std::int32_t a, std::int32_t b) {
      const std::size_t at_a = first + at(a) * inner;
      const std::size_t at_b = first + at(b) * inner;
      return descending ? less(values, at_b, at_a) : less(values, at_a, at_b);
    });
    for (std::size_t i = 0; i < length; ++i) out[first + i * inner] = order[i];
  }
  return result;
}

Tensor take_along(const Tensor& x, const Tensor& indices, Dim axis) {
  Dict attributes;
  attributes["axis"] = axis;
  return apply_op1("TakeAlongAxis", std::array{x, indices}, attributes);
}

namespace {

Tensors argsort(Operands operands, const OpAttributes& attributes) {
  const auto [x, axis] = along_axis(operands[0], attributes);
  return {sorting_order(x, axis, false)};
}
Tensors sort(Operands operands, const OpAttributes& attributes) {
  const auto [x, axis] = along_axis(operands[0], attributes);
  return {take_along(x, sorting_order(x, axis, false), axis)};
}

Tensors top_k(Operands operands, const OpAttributes& attributes) {
  const Tensor& x = operands[0];
  const int axis = normalize_axis(-1, x.rank());
  const Dim count = attributes.integer("k");
  if (count < 0 || count > x.shape().back()) {
    value_error("'k' is ", count, " but must be 0 to ", x.shape().back(), ", the size of the axis");
  }
  const Tensor indices = ops::slice_axis(sorting_order(x, axis, true), axis, 0, count);
  return {take_along(x, indices, axis), indices};
}

constexpr OpAttribute kSortSettings[] = {
    {"axis", "number | null", "Axis to sort; null: x is flattened first.", false, -1}};
constexpr OpAttribute kTopKSettings[] = {
    {"k", "number", "Number of elements; at most the size of the last axis.", true, {}},
    {"sorted", "boolean", "Argument of Keras; the results are always sorted.", false, true},
    {"is_stable", "boolean", "Argument of Keras 3.16; equal elements always keep their order.",
     false, true}};
constexpr OpDef kOps[] = {
    {"Sort", "x", kSortSettings, "Sorts along an axis, the smallest first and NaN last.", sort},
    {"Argsort", "x", kSortSettings,
     "The indices that sort x along an axis. Equal elements keep their order.", argsort},
    {"TopK", "x", kTopKSettings,
     "The k largest elements along the last axis, the largest first, and their indices.", top_k,
     nullptr, true},
};
const RegisterOps registration{kOps, "maskflow"};

}  // namespace
}  // namespace maskflow
