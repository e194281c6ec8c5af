// SPDX-License-Identifier: MIT
#include "rnn/projected_rows.hpp"

#include <cstring>
#include <utility>

#include "base/index.hpp"
#include "kernels/copy.hpp"

namespace maskflow {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{16} << 20;

std::size_t rows_of(const Lookup& lookup) {
  return lookup.table.buffer->bytes() / lookup.table.row_bytes;
}

// Computes projections. Looking up the rows copies them, which costs little beside the product.
void project_rows(RnnCell& cell, const Table& table, std::span<const std::int32_t> rows,
                  float* out) {
  Buffer vectors(Lookup{table, {rows.begin(), rows.end()}});
  cell.project({reinterpret_cast<const float*>(vectors.data()), table.width}, rows.size(), out);
}

}  // namespace

bool ProjectedRows::serves(RnnCell& cell, const Lookup& lookup) {
  return cell.kept_projections().rows != nullptr &&
         (Count(rows_of(lookup)) * cell.projected_width() * sizeof(float)).value() <= kMaxBytes;
}

void ProjectedRows::update(const Lookup& lookup, const Version& cell) {
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
  // Until all rows are projected, no version of a table is current, because memory may run out.
  const Version table = std::exchange(table_, Version());
  const std::size_t width = cell.projected_width();
  const std::size_t first_new = at(count_);
  missing_.clear();
  for (const std::int32_t row : rows) {
    std::int32_t& place = places_[at(row)];
    if (place >= 0) continue;
    place = count_++;
    missing_.push_back(row);
  }
  if (!missing_.empty()) {
    values_.resize(at(count_) * width);
    project_rows(cell, lookup.table, missing_, values_.data() + first_new * width);
  }
  table_ = table;
}

const ProjectedRows& ProjectedRows::prepare(RnnCell& cell, const Lookup& lookup,
                                            std::span<const std::int32_t> rows) {
  const KeptProjections projections = cell.kept_projections();
  ProjectedRows& known = *projections.rows;
  known.update(lookup, projections.version);
  known.project_missing(cell, lookup, rows);
  check_kept([&] {
    const std::size_t size = rows.size() * cell.projected_width();
    kernels::Floats recomputed(size), kept(size);
    project_rows(cell, lookup.table, rows, recomputed.data());
    known.copy(rows, cell.projected_width(), kept.data());
    return size == 0 || std::memcmp(recomputed.data(), kept.data(), size * sizeof(float)) == 0;
  });
  return known;
}

void ProjectedRows::copy(std::span<const std::int32_t> rows, std::size_t width, float* out) const {
  for (const std::int32_t row : rows) {
    kernels::copy(values_.data() + at(places_[at(row)]) * width, out, width);
    out += width;
  }
}

}  // namespace maskflow
