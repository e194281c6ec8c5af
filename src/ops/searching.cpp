// SPDX-License-Identifier: MIT
// Ops that find elements among others.
#include <algorithm>

#include "ops/ops.hpp"
#include "ops/sorting.hpp"

namespace maskflow {
namespace {

// Whether fewer than k predictions exceed that of the target.
Tensors in_top_k(Operands operands, const OpAttributes& attributes) {
  const Tensor& targets = operands[0];
  const Tensor& predictions = operands[1];
  if (targets.rank() != 1 || predictions.rank() != 2) {
    shape_error("targets must be [batch] and predictions [batch, classes], but have shapes ",
                targets.shape(), " and ", predictions.shape());
  }
  const Tensor own = take_along(predictions, targets.reshaped({targets.shape()[0], 1}), -1);
  const Tensor higher = ops::logical_not(ops::less_equal(predictions, own));
  const Tensor k = Tensor::scalar(DType::kInt32, static_cast<double>(attributes.integer("k")));
  return {ops::less(ops::count_nonzero(higher, -1), k)};
}

// For each value, the position at which it keeps the sequence sorted.
template <class T>
Tensor positions(const Tensor& sequence, const Tensor& values, bool after_equal) {
  Tensor result(DType::kInt32, values.shape());
  const std::span<const T> sorted = sequence.data<T>();
  const std::span<const T> value = values.data<T>();
  const std::span<std::int32_t> out = result.mutable_data<std::int32_t>();
  for (std::size_t i = 0; i < out.size(); ++i) {
    std::size_t low = 0;
    for (std::size_t high = sorted.size(); low < high;) {
      const std::size_t middle = (low + high) / 2;
      const bool is_after =
          after_equal ? !is_less(value[i], sorted[middle]) : is_less(sorted[middle], value[i]);
      (is_after ? low : high) = is_after ? middle + 1 : middle;
    }
    out[i] = static_cast<std::int32_t>(low);
  }
  return result;
}
Tensor search(const Tensor& sequence, const Tensor& values, bool after_equal) {
  if (sequence.rank() != 1) {
    shape_error("the sorted sequence has shape ", sequence.shape(), " but must be a vector");
  }
  const DType dtype = std::max({sequence.dtype(), values.dtype(), DType::kInt32});
  const auto f = dtype == DType::kFloat32 ? positions<float> : positions<std::int32_t>;
  return f(ops::cast(sequence, dtype), ops::cast(values, dtype), after_equal);
}
Tensors search_sorted(Operands x, const OpAttributes& attributes) {
  const std::string side = attributes.get("side").as_string("side");
  if (!has_word("left right", side)) {
    value_error("'side' is '", side, "' but must be 'left' or 'right'");
  }
  return {search(x[0], x[1], side == "right")};
}
Tensors digitize(Operands x, const OpAttributes&) { return {search(x[1], x[0], true)}; }

// An element is in the list if the list has an element at its position that is equal.
Tensors is_in(Operands x, const OpAttributes& attributes) {
  const DType dtype = std::max({x[0].dtype(), x[1].dtype(), DType::kInt32});
  const Tensor values = ops::cast(x[0], dtype);
  Tensor list = ops::cast(x[1], dtype).reshaped({x[1].shape().size()});
  const Tensor no = Tensor::zeros(DType::kBool, values.shape());
  Tensor found = no;
  if (list.size() > 0) {
    list = take_along(list, sorting_order(list, 0, false), 0);
    const Tensor last = Tensor::scalar(DType::kInt32, static_cast<double>(list.size() - 1));
    const Tensor place = ops::minimum(search(list, values, false), last);
    found = ops::equal(ops::take(list, place, 0), values);
  }
  return {attributes.flag("invert") ? ops::logical_not(found) : found};
}

constexpr OpAttribute kInTopKSettings[] = {
    {"k", "number", "Number of highest predictions that count.", true, {}}};
constexpr OpAttribute kSearchSettings[] = {{"side", "'left' | 'right'",
                                            "Whether a value comes before or after equal elements.",
                                            false, "left"}};
constexpr OpAttribute kIsInSettings[] = {
    {"assume_unique", "boolean", "Argument of Keras; does not change the result.", false, false},
    {"invert", "boolean", "Whether to test for the opposite.", false, false}};
constexpr OpDef kOps[] = {
    {"InTopK", "targets predictions", kInTopKSettings,
     "Whether the class of each row is among its k highest predictions.", in_top_k},
    {"SearchSorted", "sorted_sequence values", kSearchSettings,
     "The indices at which values keep a sorted vector sorted.", search_sorted},
    {"Digitize",
     "x bins",
     {},
     "The number of the bin of each element: how many of the sorted limits are not above it.",
     digitize},
    {"IsIn", "x1 x2", kIsInSettings, "Whether each element of x1 is among those of x2.", is_in},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
