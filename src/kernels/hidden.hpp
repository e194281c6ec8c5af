// SPDX-License-Identifier: MIT
#pragma once

namespace maskflow::kernels {

// Returns the value, hidden from the optimiser: it can neither recompute it nor specialise code for
// it.
template <class T>
T hidden(T value) {
  const volatile T memory = value;
  return memory;
}

}  // namespace maskflow::kernels
