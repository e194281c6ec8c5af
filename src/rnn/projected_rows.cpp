// SPDX-License-Identifier: MIT
#include "rnn/projected_rows.hpp"

#include <utility>

#include "kernels/copy.hpp"

namespace maskflow {
namespace {

constexpr std::size_t kMostBytes = std::size_t{16} << 20;

std::size_t rows_of(const Lookup& lookup) {
  return lookup.table.buffer->bytes() / lookup.table.row_bytes;
}

const float* floats_of(Buffer& buffer) { return reinterpret_cast<const float*>(buffer.data()); }

}  // namespace

bool ProjectedRows::serves(RnnCell& cell, const Lookup& lookup) {
  return cell.projected_rows() != nullptr &&
         (Count(rows_of(lookup)) * cell.projected_width() * sizeof(float)).value() <= kMostBytes;
}

void ProjectedRows::start(const Lookup& lookup, std::uint64_t version) {
  if (table_.lock() == lookup.table.buffer && version_ == version) return;
  table_.reset();
  places_.assign(rows_of(lookup), -1);
  count_ = 0;
  table_ = lookup.table.buffer;
  version_ = version;
}

void ProjectedRows::project(RnnCell& cell, const Lookup& lookup, std::span<const std::int32_t> rows,
                            float* out) {
  start(lookup, cell.projection_version());
  // Until all of it is there, nothing is: memory may run out.
  const std::weak_ptr<Buffer> table = std::exchange(table_, {});
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
    // (A copy where the table holds floats: little beside the product, and made once.)
    Buffer vectors(Lookup{lookup.table, missing_});
    cell.project({floats_of(vectors), lookup.table.width}, missing_.size(),
                 values_.data() + known * width);
  }
  for (const std::int32_t row : rows) {
    const auto place = static_cast<std::size_t>(places_[static_cast<std::size_t>(row)]);
    kernels::copy(values_.data() + place * width, out, width);
    out += width;
  }
  table_ = table;
}

}  // namespace maskflow
