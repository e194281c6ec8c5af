// SPDX-License-Identifier: MIT
// Shape and address of one tensor, which JavaScript writes and reads in memory. Wrapped one by one,
// these values would cost more than a small model computes.
#pragma once

#include "boundary.hpp"

namespace maskflow::bindings {

// web/src/engine/exchange.ts has the same layout.
struct Exchange {
  std::int32_t dtype;
  std::int32_t rank;
  std::uint32_t address;  // Address of the elements, in bytes.
  std::int32_t dims[kMaxRank];
};

[[nodiscard]] Exchange& exchange();

// Creates an uninitialised tensor of the dtype and shape in the exchange, and writes its address
// there.
[[nodiscard]] Tensor tensor_from_exchange();
// Writes dtype, shape and address of a tensor with data.
void set_exchange(const Tensor& tensor);
// Returns a handle of a tensor with data, after set_exchange(tensor).
[[nodiscard]] TensorHandle give_with_exchange(const Tensor& tensor);

}  // namespace maskflow::bindings
