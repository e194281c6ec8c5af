// SPDX-License-Identifier: MIT
#include "training/recorded_rows.hpp"

#include <algorithm>
#include <utility>

namespace maskflow {
namespace {

constexpr std::int32_t kUnset = -1;

// Which distinct row each position of a tensor shows.
struct Positions {
  std::vector<std::int32_t> rows;
  std::size_t count = 0;  // distinct rows; each is shown by at least one position
};

// Numbers the rows of a table that are shown; the others would get gradients of 0 times a number
// that may not be finite.
Positions number_shown(const std::vector<std::int32_t>& rows, std::size_t table_rows) {
  std::vector<std::int32_t> numbers(table_rows, kUnset);
  for (const std::int32_t row : rows) numbers[static_cast<std::size_t>(row)] = 0;
  std::int32_t count = 0;
  for (std::int32_t& number : numbers) {
    if (number != kUnset) number = count++;
  }
  Positions positions{rows, static_cast<std::size_t>(count)};
  for (std::int32_t& row : positions.rows) row = numbers[static_cast<std::size_t>(row)];
  return positions;
}

std::size_t rows_of(const Tensor& table) {
  const std::size_t width = table.shape().length(-1);
  return width == 0 ? 0 : table.size() / width;
}

// Returns null if x was not selected, or was reshaped since then to rows of another width.
const Tape::Selection* selection_of(const Tape& tape, const Tensor& x) {
  const Tape::Selection* const selection = tape.selection_of(x);
  if (selection == nullptr || x.rank() < 2) return nullptr;
  return selection->table.shape().back() == x.shape().back() ? selection : nullptr;
}

// Returns nothing if x is not known to repeat rows.
std::optional<Positions> positions_of(const Tape& tape, const Tensor& x) {
  if (tape.tracks(x)) {
    const Tape::Selection* const selection = selection_of(tape, x);
    if (selection == nullptr) return std::nullopt;
    return number_shown(selection->index, rows_of(selection->table));
  }
  const Lookup* const lookup = x.lookup();
  const bool selects_rows = lookup != nullptr && x.rank() > 1 && lookup->table.read == nullptr &&
                            lookup->table.width == x.shape().length(-1);
  if (!selects_rows || lookup->table.row_bytes == 0) return std::nullopt;
  return number_shown(lookup->rows, lookup->table.buffer->bytes() / lookup->table.row_bytes);
}

// Returns the row of a table for each distinct row. Returns nothing if positions with the same
// distinct row show different rows of the table.
std::optional<std::vector<std::int32_t>> compose(const std::vector<std::int32_t>& table_rows,
                                                 const Positions& positions) {
  std::vector<std::int32_t> result(positions.count, kUnset);
  for (std::size_t i = 0; i < table_rows.size(); ++i) {
    std::int32_t& row = result[static_cast<std::size_t>(positions.rows[i])];
    if (row != kUnset && row != table_rows[i]) return std::nullopt;
    row = table_rows[i];
  }
  return result;
}

// Returns the distinct rows of x, or an empty handle if they cannot be tracked.
Tensor reduce(Tape& tape, const Tensor& x, const Positions& positions) {
  if (!tape.tracks(x)) return gather_distinct(x, positions.rows, positions.count);
  const Tape::Selection* const selection = selection_of(tape, x);
  if (selection == nullptr) return {};
  const Shape shape = distinct_shape(x.shape(), positions.count);
  if (rows_of(selection->table) == positions.count && selection->index == positions.rows) {
    return selection->table.reshaped(shape);
  }
  std::optional<std::vector<std::int32_t>> index = compose(selection->index, positions);
  return index ? tape.select_rows(selection->table, std::move(*index), shape) : Tensor();
}

std::optional<DistinctRows> reduce_all(Tape& tape, const Tensors& inputs,
                                       const Positions& positions) {
  DistinctRows distinct{{}, positions.rows, inputs.front().shape()};
  for (const Tensor& input : inputs) {
    distinct.inputs.push_back(reduce(tape, input, positions));
    if (distinct.inputs.back().empty_handle()) return std::nullopt;
  }
  return distinct;
}

}  // namespace

std::optional<DistinctRows> distinct_rows(Tape& tape, const Tensors& inputs) {
  const Shape& shape = inputs.front().shape();
  for (const Tensor& input : inputs) {
    if (input.dtype() != DType::kFloat32 || !same_positions(input.shape(), shape)) {
      return std::nullopt;
    }
  }
  for (const Tensor& input : inputs) {
    const std::optional<Positions> positions = positions_of(tape, input);
    if (!positions || !pays_to_reduce(positions->count, positions->rows.size())) continue;
    std::optional<DistinctRows> distinct = reduce_all(tape, inputs, *positions);
    if (distinct) return distinct;
  }
  return std::nullopt;
}

}  // namespace maskflow
