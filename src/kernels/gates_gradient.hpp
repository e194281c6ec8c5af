// SPDX-License-Identifier: MIT
// Steps of recurrent cells with Keras's default activations that keep what the way back needs, and
// the way back. All arrays are rows of lanes, one after the other.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Sums for i, f, c, o become the activated gates; c and h are the new states.
void lstm_forward(float* gates, const float* c_before, float* c, float* h, std::size_t lanes,
                  std::size_t units);
// The activated gates become the cotangents of their sums; dc, that of c beside what comes through
// h, becomes that of the state before.
void lstm_backward(float* gates, const float* c_before, const float* c, const float* dh, float* dc,
                   std::size_t lanes, std::size_t units);

// reset_after. `x` and `inner` as in gru_update(); x becomes z, r and the candidate.
void gru_forward(float* x, const float* inner, const float* h_before, float* h, std::size_t lanes,
                 std::size_t units);
// z, r and the candidate become the cotangents of x; `kept`, the candidate's part of inner, becomes
// its cotangent; dh becomes what goes straight to the state before.
void gru_backward(float* gates, float* kept, const float* h_before, float* dh, std::size_t lanes,
                  std::size_t units);

// reset before the product. z and r from their sums; `kept` = r h.
void gru_reset(float* gates, const float* sums, const float* h_before, float* kept,
               std::size_t lanes, std::size_t units);
// The candidate from its sum, and the state.
void gru_candidate(float* gates, const float* sums, const float* h_before, float* h,
                   std::size_t lanes, std::size_t units);
// All but r: as gru_backward().
void gru_candidate_backward(float* gates, const float* h_before, float* dh, std::size_t lanes,
                            std::size_t units);
// r becomes the cotangent of its sum; dh gets what comes through r h, whose cotangent is given.
void gru_reset_backward(float* gates, const float* cotangent, const float* h_before, float* dh,
                        std::size_t lanes, std::size_t units);

// h = tanh(sums); the cotangent of the sums.
void tanh_forward(const float* sums, float* h, std::size_t n);
void tanh_backward(const float* h, const float* dh, float* to, std::size_t n);

}  // namespace maskflow::kernels
