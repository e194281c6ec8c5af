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
  for (std::size_t t = 0; t < kept.size(); ++t) {
    if (kept[t] != 0) index.push_back(static_cast<std::int32_t>(start + t));
  }
  first.push_back(index.size());
}

Tensor KeptRows::spread(const Tensor& rows, const Shape& shape) const {
  const auto width = static_cast<std::size_t>(shape.back());
  if (rows.size() == static_cast<std::size_t>(shape.size())) return rows.reshaped(shape);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  float* to = result.mutable_data<float>().data();
  const float* from = rows.data<float>().data();
  for (const std::int32_t row : index) {
    kernels::copy(from, to + static_cast<std::size_t>(row) * width, width);
    from += width;
  }
  return result;
}

}  // namespace maskflow
