// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/attention.hpp"

namespace maskflow::kernels {

// Destination of the gradients of scores. Those of the queries and keys are written, as rows one
// after the other; the gradients of the parameters are added up.
struct ScoreGradient {
  float* query = nullptr;
  float* key = nullptr;
  float factor = 0;
  float inner = 0;           // additive scores only
  float* weights = nullptr;  // additive scores only; null: not needed
};

// Computes them from g[i * keys + j], the gradient of the score of query i and key j. `query` and
// `key` must be rows without an index. `room` is for the keys.
void score_gradient(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                    std::size_t width, const Score& score, const float* g, PackedMatrix& room,
                    ScoreGradient& to);

// `weights` are rows of n results of a softmax, and g their gradients. Replaces g by the gradients
// of the scores.
void softmax_gradient(const float* weights, float* g, std::size_t rows, std::size_t n);

}  // namespace maskflow::kernels
