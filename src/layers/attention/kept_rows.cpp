// SPDX-License-Identifier: MIT
#include "layers/attention/kept_rows.hpp"

#include <numeric>

#include "base/memory.hpp"
#include "kernels/copy.hpp"

namespace maskflow {

KeptRows KeptRows::all(Dim batch, Dim time) {
  KeptRows rows;
  rows.index.resize((Count(batch) * time).of<std::int32_t>());
  std::iota(rows.index.begin(), rows.index.end(), 0);
  for (Dim b = 1; b <= batch; ++b) rows.first.push_back(static_cast<std::size_t>(b * time));
  return rows;
}

void KeptRows::add(const std::vector<std::uint8_t>& kept) {
  const std::size_t start = (first.size() - 1) * kept.size();
  std::size_t count = index.size();
  index.resize(count + kept.size());
  // The loop has no branch: every row is written, and the next row overwrites one that is left out.
  for (std::size_t t = 0; t < kept.size(); ++t) {
    index[count] = static_cast<std::int32_t>(start + t);
    count += kept[t] != 0 ? 1 : 0;
  }
  index.resize(count);
  first.push_back(count);
}

Tensor KeptRows::spread(const Tensor& rows, const Shape& shape) const {
  const auto width = static_cast<std::size_t>(shape.back());
  if (rows.size() == shape.elements()) return rows.reshaped(shape);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  float* to = result.mutable_floats();
  const float* from = rows.floats();
  for (const std::int32_t row : index) {
    kernels::copy(from, to + static_cast<std::size_t>(row) * width, width);
    from += width;
  }
  return result;
}

Tensor gather_rows(const Tensor& x, const std::vector<std::int32_t>& index) {
  const Dim width = x.shape().back();
  Tensor result(DType::kFloat32, {static_cast<Dim>(index.size()), width});
  float* to = result.mutable_floats();
  for (const std::int32_t row : index) {
    kernels::copy(x.floats() + row * width, to, static_cast<std::size_t>(width));
    to += width;
  }
  return result;
}

}  // namespace maskflow
