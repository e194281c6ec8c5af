// SPDX-License-Identifier: MIT
#include "layers/attention/kept_rows_gradient.hpp"

namespace maskflow {

Tensor gather_rows(Tape& tape, const Tensor& x, const std::vector<std::int32_t>& index) {
  const Tensor rows = gather_rows(x, index);
  tape.record({&x, 1}, {&rows, 1}, [index, shape = x.shape()](const Tensors& g) -> Tensors {
    return {scatter_rows(g[0], index, shape)};
  });
  return rows;
}

Tensor spread_rows(Tape& tape, const KeptRows& kept, const Tensor& rows, const Shape& shape) {
  const Tensor result = kept.spread(rows, shape);
  if (result.storage() == rows.storage()) return result;
  tape.record({&rows, 1}, {&result, 1}, [index = kept.index](const Tensors& g) -> Tensors {
    return {gather_rows(g[0], index)};
  });
  return result;
}

}  // namespace maskflow
