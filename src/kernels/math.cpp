// SPDX-License-Identifier: MIT
#include "kernels/math.hpp"

namespace maskflow::kernels {

// ln 2 is in two parts, the first of them short, so that its multiples are exact. The coefficients
// are our own minimax fit. Beyond the bounds of exp, the power of 2 is 0 or infinity; at those of
// tanh, tanh rounds to 1.
const MathNumbers math_numbers = {
    .log2_e = 1.44269504F,
    .rounder = 12583039.0F,  // 1.5 * 2^23 + 127
    .ln2_high = 0.693359375F,
    .ln2_low = -2.12194440e-4F,
    .c6 = 0.00140612684667F,
    .c5 = 0.00837901847181F,
    .c4 = 0.0416647766871F,
    .c3 = 0.166663653447F,
    .c2 = 0.500000043458F,
    .exp_low = -88.03F,
    .exp_high = 89.0F,
    .tanh_low = -18.5F,
    .tanh_high = 18.5F,
    .one = 1.0F,
    .two = 2.0F,
};

}  // namespace maskflow::kernels
