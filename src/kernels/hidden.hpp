// SPDX-License-Identifier: MIT
#pragma once

namespace maskflow::kernels {

// The value, of which compilers know nothing: they neither compute it again nor decide by it ahead.
template <class T>
T hidden(T value) {
  const volatile T memory = value;
  return memory;
}

}  // namespace maskflow::kernels
