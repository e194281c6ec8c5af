// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "tensor/tensor.hpp"

namespace maskflow {

// Names of the window functions, separated by spaces: those of scipy.signal.get_window without
// parameters, except 'taylor'.
inline constexpr const char* kWindowFunctions =
    "barthann bartlett blackman blackmanharris bohman boxcar cosine exponential flattop hamming "
    "hann lanczos nuttall parzen triang tukey";

// Returns the weights of a window, [length]. A periodic window is the beginning of the symmetric
// one that has one more sample. `name` is one of kWindowFunctions.
[[nodiscard]] Tensor window_function(std::string_view name, Dim length, bool periodic);

}  // namespace maskflow
