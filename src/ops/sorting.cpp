// SPDX-License-Identifier: MIT
// Sorting, and what follows from it. NaN is larger than every number, as in NumPy and PyTorch.
#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

template <class T>
bool is_less(T a, T b) {
  return a < b || (b != b && a == a);
}

// Sorts indices by merging runs of doubling length, so that equal elements keep their order. It is
// written here because each std::stable_sort would take 5 kB of the wasm.
template <class IsBefore>
void merge_sort(std::vector<std::int32_t>& order, IsBefore&& is_before) {
  std::vector<std::int32_t> merged(order.size());
  for (std::size_t run = 1; run < order.size(); run *= 2) {
    for (std::size_t start = 0; start < order.size(); start += 2 * run) {
      const std::size_t middle = std::min(start + run, order.size());
      const std::size_t end = std::min(middle + run, order.size());
      std::size_t left = start;
      std::size_t right = middle;
      for (std::size_t i = start; i < end; ++i) {
        const bool takes_right =
            left == middle || (right < end && is_before(order[right], order[left]));
        merged[i] = order[takes_right ? right++ : left++];
      }
    }
    std::swap(order, merged);
  }
}

// Whether the element at `a` is less than the one at `b`; T is the type of the elements.
template <class T>
bool is_less_at(const std::byte* values, std::size_t a, std::size_t b) {
  const T* const numbers = reinterpret_cast<const T*>(values);
  return is_less(numbers[a], numbers[b]);
}

// Returns the indices that sort x along an axis; equal elements keep their order.
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

// The operand, flattened if the axis is null, and the axis.
std::pair<Tensor, int> along_axis(const Tensor& x, const OpAttributes& attributes) {
  if (attributes.is_null("axis")) return {x.reshaped({x.shape().size()}), 0};
  return {x, normalize_axis(attributes.integer("axis"), x.rank())};
}

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

// Moves the reduced axes to the end and joins them.
Tensor with_rows(const Tensor& x, const OpAttributes& attributes, Shape& keepdims) {
  std::vector<bool> reduced(at(x.rank()), attributes.is_null("axis"));
  if (!attributes.is_null("axis")) {
    for (const Dim axis : attributes.integers("axis")) {
      reduced[at(normalize_axis(axis, x.rank()))] = true;
    }
  }
  std::vector<int> order;
  Shape shape;
  Dim length = 1;
  for (const bool is_reduced : {false, true}) {
    for (int axis = 0; axis < x.rank(); ++axis) {
      if (reduced[at(axis)] != is_reduced) continue;
      order.push_back(axis);
      if (is_reduced) length *= x.shape()[axis];
      if (!is_reduced) shape.push_back(x.shape()[axis]);
    }
  }
  for (int axis = 0; axis < x.rank(); ++axis) {
    keepdims.push_back(reduced[at(axis)] ? 1 : x.shape()[axis]);
  }
  shape.push_back(length);
  return ops::transpose(x, order).reshaped(shape);
}

void check_probabilities(const Tensor& q) {
  if (q.rank() > 1) shape_error("q has shape ", q.shape(), " but must be a number or a vector");
  for (const float probability : q.data<float>()) {
    if (probability >= 0 && probability <= 1) continue;
    value_error("a quantile is ", probability, " but must be 0 to 1");
  }
}

// Positions in a row of sorted elements; a share of one that is between two belongs to the upper.
struct Places {
  Tensor lower;
  Tensor upper;
  Tensor share;
};
Places places_of(const Tensor& q, Dim length, const std::string& method) {
  if (!has_word("linear lower higher midpoint nearest", method)) {
    value_error("'method' is '", method,
                "' but must be 'linear', 'lower', 'higher', 'midpoint' or 'nearest'");
  }
  Tensor position = ops::multiply(q, ops::number(static_cast<double>(length - 1)));
  if (method == "nearest") position = ops::round(position);
  if (method == "lower") position = ops::unary("Floor", position);
  if (method == "higher") position = ops::unary("Ceil", position);
  const Tensor lower = ops::unary("Floor", position);
  const Tensor upper = ops::unary("Ceil", position);
  const Tensor share = method == "midpoint"
                           ? ops::multiply(ops::subtract(upper, lower), ops::number(0.5))
                           : ops::subtract(position, lower);
  return {ops::cast(lower, DType::kInt32), ops::cast(upper, DType::kInt32), share};
}

Tensor quantiles(const Tensor& operand, const Tensor& probability, const OpAttributes& attributes,
                 const std::string& method) {
  const Tensor q = ops::cast(probability, DType::kFloat32);
  check_probabilities(q);
  Shape keepdims;
  const Tensor rows = with_rows(ops::cast(operand, DType::kFloat32), attributes, keepdims);
  const Dim length = rows.shape().back();
  if (length == 0) value_error("cannot reduce an axis of size 0");
  const int axis = rows.rank() - 1;
  const Tensor sorted = take_along(rows, sorting_order(rows, axis, false), axis);
  const Places places = places_of(q, length, method);
  const Tensor lower = ops::take(sorted, places.lower, axis);
  const Tensor gap = ops::subtract(ops::take(sorted, places.upper, axis), lower);
  Tensor result = ops::add(lower, ops::multiply(gap, places.share));
  // A NaN is the last element of its row.
  Tensor last = ops::slice_axis(sorted, axis, length - 1, length);
  if (q.rank() == 0) last = ops::squeeze(last, axis);
  result = ops::where(ops::equal(last, last), result, last);
  if (q.rank() == 1) result = ops::move_axis(result, -1, 0);
  if (!attributes.flag("keepdims")) return result;
  if (q.rank() == 1) keepdims.insert(0, q.shape()[0]);
  return result.reshaped(keepdims);
}

Tensors quantile(Operands x, const OpAttributes& attributes) {
  return {quantiles(x[0], x[1], attributes, attributes.get("method").as_string("method"))};
}
Tensors percentile(Operands x, const OpAttributes& attributes) {
  const Tensor q = ops::divide(x[1], ops::number(100));
  return {quantiles(x[0], q, attributes, attributes.get("method").as_string("method"))};
}
Tensors median(Operands x, const OpAttributes& attributes) {
  return {quantiles(x[0], ops::number(0.5), attributes, "linear")};
}

constexpr OpAttribute kSortSettings[] = {
    {"axis", "number | null", "Axis to sort; null: x is flattened first.", false, -1}};
constexpr OpAttribute kTopKSettings[] = {
    {"k", "number", "Number of elements; at most the size of the last axis.", true, {}},
    {"sorted", "boolean", "Argument of Keras; the results are always sorted.", false, true}};
constexpr OpAttribute kInTopKSettings[] = {
    {"k", "number", "Number of highest predictions that count.", true, {}}};
constexpr OpAttribute kSearchSettings[] = {{"side", "'left' | 'right'",
                                            "Whether a value comes before or after equal elements.",
                                            false, "left"}};
constexpr OpAttribute kIsInSettings[] = {
    {"assume_unique", "boolean", "Argument of Keras; does not change the result.", false, false},
    {"invert", "boolean", "Whether to test for the opposite.", false, false}};
constexpr OpAttribute kAxes = {
    "axis", "number | number[] | null", "Axis or axes to reduce; null: all.", false, {}};
constexpr OpAttribute kKeepdims = {"keepdims", "boolean",
                                   "Whether to keep the reduced axes with size 1.", false, false};
constexpr OpAttribute kMethod = {"method", "'linear' | 'lower' | 'higher' | 'midpoint' | 'nearest'",
                                 "The result where the position is between two elements.", false,
                                 "linear"};
constexpr OpAttribute kQuantileSettings[] = {kAxes, kMethod, kKeepdims};
constexpr OpAttribute kMedianSettings[] = {kAxes, kKeepdims};

constexpr OpDef kOps[] = {
    {"Sort", "x", kSortSettings, "Sorts along an axis, the smallest first and NaN last.", sort},
    {"Argsort", "x", kSortSettings,
     "The indices that sort x along an axis. Equal elements keep their order.", argsort},
    {"TopK", "x", kTopKSettings,
     "The k largest elements along the last axis, the largest first, and their indices.", top_k,
     nullptr, true},
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
    {"Quantile", "x q", kQuantileSettings,
     "The value below which a share q of the elements lies, in float32. q is a number or a vector.",
     quantile},
    {"Percentile", "x q", kQuantileSettings, "As quantile, with q in percent.", percentile},
    {"Median", "x", kMedianSettings,
     "The middle of the sorted elements, or the mean of the two in the middle.", median},
};
const RegisterOps registration{kOps, true};

}  // namespace
}  // namespace maskflow
