// SPDX-License-Identifier: MIT
// Forward passes of recurrent cells with Keras's default activations that keep the values which the
// backward pass needs, and these backward passes. All arrays are rows of lanes, one after the
// other. The cotangent of a value is the gradient with respect to it.
#pragma once

#include <cstddef>

namespace maskflow::kernels {

// Replaces the sums for i, f, c, o by the activated gates. Writes the new states c and h.
void lstm_forward(float* gates, const float* c_before, float* c, float* h, std::size_t lanes,
                  std::size_t units);
// Replaces the activated gates by the cotangents of their sums. On entry, dc is the part of c's
// cotangent that does not pass through h; on return, it is the cotangent of the previous state.
void lstm_backward(float* gates, const float* c_before, const float* c, const float* dh, float* dc,
                   std::size_t lanes, std::size_t units);

// With reset_after. `x` and `inner` are those of gru_update(). Replaces x by z, r and the
// candidate.
void gru_forward(float* x, const float* inner, const float* h_before, float* h, std::size_t lanes,
                 std::size_t units);
// Replaces z, r and the candidate by the cotangents of x; the candidate's part of inner,
// `inner_candidate`, by its cotangent; and dh by the part that goes directly to the previous state.
void gru_backward(float* gates, float* inner_candidate, const float* h_before, float* dh,
                  std::size_t lanes, std::size_t units);

// Without reset_after: z and r from their sums, and reset_state = r h, which is multiplied next.
void gru_reset(float* gates, const float* sums, const float* h_before, float* reset_state,
               std::size_t lanes, std::size_t units);
// Computes the candidate from its sum, and the new state.
void gru_candidate(float* gates, const float* sums, const float* h_before, float* h,
                   std::size_t lanes, std::size_t units);
// gru_backward() without the cotangent of r.
void gru_candidate_backward(float* gates, const float* h_before, float* dh, std::size_t lanes,
                            std::size_t units);
// Replaces r by the cotangent of its sum. `cotangent` is that of r h; adds its share to dh.
void gru_reset_backward(float* gates, const float* cotangent, const float* h_before, float* dh,
                        std::size_t lanes, std::size_t units);

// The cotangent of the sums of h = tanh(sums).
void tanh_backward(const float* h, const float* dh, float* to, std::size_t n);

}  // namespace maskflow::kernels
