// SPDX-License-Identifier: MIT
#include <array>

#include "layers/attention/attend.hpp"
#include "ops/ops.hpp"

namespace maskflow {

Tensor band_mask(Dim queries, Dim keys, bool causal, Dim window) {
  Tensor mask(DType::kBool, {1, 1, queries, keys});
  std::uint8_t* to = mask.mutable_data<std::uint8_t>().data();
  for (Dim i = 0; i < queries; ++i) {
    for (Dim j = 0; j < keys; ++j) {
      const Dim distance = i < j ? j - i : i - j;
      *to++ = (!causal || j <= i) && (window == 0 || distance < window) ? 1 : 0;
    }
  }
  return mask;
}

Tensor intersection(const Tensor& a, const Tensor& b) {
  if (a.empty_handle()) return b;
  return b.empty_handle() ? a : ops::logical_and(a, b);
}

}  // namespace maskflow
