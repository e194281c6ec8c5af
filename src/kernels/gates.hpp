// SPDX-License-Identifier: MIT
// State updates of recurrent cells with Keras's default activations, in one pass over the gates.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// LSTM. `gates` holds, per lane, the sums for the input gate i, the forget gate f, the candidate c'
// and the output gate o, `units` each. c = f c + i tanh(c'), h = o tanh(c).
void lstm_update(const float* gates, float* c, float* h, std::size_t lanes, std::size_t units);

// GRU with reset_after. `x` and `inner` hold, per lane, the input and the recurrent sums for the
// update gate z, the reset gate r and the candidate. h = z h + (1 - z) tanh(x_h + r inner_h).
// Overwrites x.
void gru_update(float* x, const float* inner, float* h, std::size_t lanes, std::size_t units);

// h[i] = z[i] h[i] + (1 - z[i]) candidate[i].
void gru_blend(const float* z, const float* candidate, float* h, std::size_t n);

}  // namespace maskflow::kernels
