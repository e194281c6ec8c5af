// SPDX-License-Identifier: MIT
// Functions of about a hundred instructions that several loops share. Each is compiled once: a call
// per vector costs little in comparison, and inlined copies would add 2 kB to a page. They return
// NaN for NaN.
#pragma once

#include "kernels/simd.hpp"

namespace maskflow::kernels {

Vec long_tanh(Vec x);  // tanh() of math.hpp
Vec log1p(Vec x);
Vec expm1(Vec x);
Vec erf(Vec x);

}  // namespace maskflow::kernels
