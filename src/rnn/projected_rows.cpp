// SPDX-License-Identifier: MIT
#include "rnn/projected_rows.hpp"

#include <cstring>
#include <utility>

#include "kernels/copy.hpp"

namespace maskflow {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

std::size_t rows_of(const Lookup& lookup) {
  return lookup.table.buffer->bytes() / lookup.table.row_bytes;
}

// Computes the projections. If the table holds floats its rows are copied, which costs little
// beside the product.
void project_rows(RnnCell& cell, const Table& table, std::span<const std::int32_t> rows,
                  float* out) {
  Buffer vectors(Lookup{table, {rows.begin(), rows.end()}});
  cell.project({reinterpret_cast<const float*>(vectors.data()), table.width}, rows.size(), out);
}

}  // namespace

bool ProjectedRows::serves(RnnCell& cell, const Lookup& lookup) {
  return cell.kept_projections().rows != nullptr &&
         (Count(rows_of(lookup)) * cell.projected_width() * sizeof(float)).value() <= kMostBytes;
}

void ProjectedRows::start(const Lookup& lookup, const Version& cell) {
  const Version& table = lookup.table.buffer->version();
  if (table_ == table && cell_ == cell) return;
  table_.renew();
  places_.assign(rows_of(lookup), -1);
  count_ = 0;
  table_ = table;
  cell_ = cell;
}

void ProjectedRows::project_missing(RnnCell& cell, const Lookup& lookup,
                                    std::span<const std::int32_t> rows) {
  // Until all of it is there, nothing is: memory may run out.
  const Version table = std::exchange(table_, Version());
  const std::size_t width = cell.projected_width();
  const auto known = static_cast<std::size_t>(count_);
  missing_.clear();
  for (const std::int32_t row : rows) {
    std::int32_t& place = places_[static_cast<std::size_t>(row)];
    if (place >= 0) continue;
    place = count_++;
    missing_.push_back(row);
  }
  if (!missing_.empty()) {
    values_.resize(static_cast<std::size_t>(count_) * width);
    project_rows(cell, lookup.table, missing_, values_.data() + known * width);
  }
  table_ = table;
}

void ProjectedRows::project(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows,
                            float* out) {
  const KeptProjections projections = cell.kept_projections();
  ProjectedRows& kept = *projections.rows;
  kept.start(lookup, projections.version);
  kept.project_missing(cell, lookup, rows);
  const std::size_t width = cell.projected_width();
  float* to = out;
  for (const std::int32_t row : rows) {
    const auto place = static_cast<std::size_t>(kept.places_[static_cast<std::size_t>(row)]);
    kernels::copy(kept.values_.data() + place * width, to, width);
    to += width;
  }
  check_kept([&] {
    kernels::Floats again(rows.size() * width);
    project_rows(cell, lookup.table, rows, again.data());
    return again.empty() || std::memcmp(again.data(), out, again.size() * sizeof(float)) == 0;
  });
}

}  // namespace maskflow
