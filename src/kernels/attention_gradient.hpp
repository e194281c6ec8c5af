// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/attention.hpp"

namespace maskflow::kernels {

// Where the gradients of scores go: those of the queries and of the keys, rows after one another,
// which are written; the others are added to.
struct ScoreGradient {
  float* query = nullptr;
  float* key = nullptr;
  float factor = 0;
  float inner = 0;           // of additive scores alone
  float* weights = nullptr;  // of additive scores; null: not asked for
};

// From g[i * keys + j], the gradient of the score of query i and key j. Rows without an index.
void score_gradient(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                    std::size_t width, const Score& score, const float* g, ScoreGradient& to);

// Of rows of n that a softmax gave: g becomes the gradient of what the softmax was given.
void softmax_gradient(const float* weights, float* g, std::size_t rows, std::size_t n);

}  // namespace maskflow::kernels
