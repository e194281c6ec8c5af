// SPDX-License-Identifier: MIT
// Functions of a hundred instructions that several loops share, each compiled once: a call for a
// vector costs little beside them, and a copy in each loop cost a page 2 kB. NaN gives NaN.
#pragma once

#include "kernels/simd.hpp"

namespace maskflow::kernels {

Vec long_tanh(Vec x);  // tanh of math.hpp
Vec log1p(Vec x);
Vec expm1(Vec x);
Vec erf(Vec x);

}  // namespace maskflow::kernels
