// SPDX-License-Identifier: MIT
#include "layer/distinct_rows.hpp"

#include <algorithm>
#include <cstring>

namespace maskflow {
namespace {

// Largest share of distinct rows, 7/8, at which copying them saves time.
constexpr std::size_t kShareNumerator = 7;
constexpr std::size_t kShareDenominator = 8;

const Lookup* lookup_of(const Tensor& x) {
  const Lookup* const lookup = x.lookup();
  if (lookup == nullptr || x.rank() < 2 || lookup->table.read != nullptr) return nullptr;
  return lookup->table.width == static_cast<std::size_t>(x.shape().back()) ? lookup : nullptr;
}

std::size_t count_of(const Table& table) {
  return table.row_bytes == 0 ? 0 : table.buffer->bytes() / table.row_bytes;
}

}  // namespace

bool pays_to_reduce(std::size_t count, std::size_t positions) {
  return count * kShareDenominator <= positions * kShareNumerator;
}

Shape distinct_shape(const Shape& all, std::size_t rows) {
  Shape shape = all;
  for (int axis = 0; axis < all.rank() - 2; ++axis) shape.set(axis, 1);
  shape.set(-2, static_cast<Dim>(rows));
  return shape;
}

bool same_positions(const Shape& a, const Shape& b) {
  return a.rank() == b.rank() && a.first(a.rank() - 1) == b.first(b.rank() - 1);
}

Tensor gather_distinct(const Tensor& x, const std::vector<std::int32_t>& rows, std::size_t count) {
  const auto width = static_cast<std::size_t>(x.shape().back());
  Tensor result = Tensor::zeros(DType::kFloat32, distinct_shape(x.shape(), count));
  float* const to = result.mutable_floats();
  const float* from = x.floats();
  std::vector<bool> seen(count);
  for (const std::int32_t row : rows) {
    float* const place = to + static_cast<std::size_t>(row) * width;
    if (!seen[static_cast<std::size_t>(row)]) {
      seen[static_cast<std::size_t>(row)] = true;
      std::copy_n(from, width, place);
    } else if (std::memcmp(from, place, width * sizeof(float)) != 0) {
      return {};
    }
    from += width;
  }
  return result;
}

Shape DistinctRows::spread_shape(const Tensor& result) const {
  Shape whole = shape;
  whole.set(-1, result.shape().back());
  return whole;
}

Tensor DistinctRows::spread(const Tensor& result) const {
  return Tensor::looked_up(result.table(), rows, spread_shape(result));
}

std::optional<DistinctRows> distinct_rows(const Tensors& inputs) {
  const auto reduced =
      std::ranges::find_if(inputs, [](const Tensor& input) { return lookup_of(input) != nullptr; });
  if (reduced == inputs.end()) return std::nullopt;
  const std::size_t count = count_of(lookup_of(*reduced)->table);
  DistinctRows distinct{{}, lookup_of(*reduced)->rows, inputs.front().shape()};
  if (!pays_to_reduce(count, distinct.rows.size())) return std::nullopt;
  for (const Tensor& input : inputs) {
    if (input.dtype() != DType::kFloat32 || !same_positions(input.shape(), distinct.shape)) {
      return std::nullopt;
    }
    const Lookup* const lookup = lookup_of(input);
    const bool same_rows =
        lookup != nullptr && count_of(lookup->table) == count && lookup->rows == distinct.rows;
    distinct.inputs.push_back(
        same_rows ? Tensor::of_table(lookup->table, distinct_shape(input.shape(), count))
                  : gather_distinct(input, distinct.rows, count));
    if (distinct.inputs.back().empty_handle()) return std::nullopt;
  }
  return distinct;
}

}  // namespace maskflow
