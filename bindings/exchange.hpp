// SPDX-License-Identifier: MIT
// Shape and place of one tensor, which JavaScript writes and reads in memory: as values that are
// wrapped one by one they would cost more than a small model.
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

// web/src/engine/exchange.ts knows this layout.
struct Exchange {
  std::int32_t dtype;
  std::int32_t rank;
  std::uint32_t address;  // of the elements, in bytes
  std::int32_t dims[kMaxRank];
};

[[nodiscard]] Exchange& exchange();

// A tensor of the shape that was written, uninitialised; its address is there afterwards.
[[nodiscard]] Tensor tensor_from_exchange();
// Shape and address of a tensor with data.
void set_exchange(const Tensor& tensor);
// The handle of a tensor with data, whose shape and address are there afterwards.
[[nodiscard]] TensorHandle give_with_exchange(const Tensor& tensor);

}  // namespace maskflow::bindings
