// SPDX-License-Identifier: MIT
// The parts of attention that are no plain matrix product.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm.hpp"

namespace maskflow::kernels {

// How a query q and a key k are scored: factor * q.k, or, additive, factor * sum over d of
// weights[d] * tanh(inner * (q[d] + k[d])), without `weights` as if they were 1.
struct Score {
  bool additive = false;
  float factor = 1;
  float inner = 1;
  const float* weights = nullptr;
};

// out[i * keys + j] = score of query i and key j; rows of `width` numbers.
void attention_scores(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                      std::size_t width, const Score& score, float* out);

// Adds `offset` where a byte of `allowed` is 0, or puts it there instead.
void mask_scores(float* scores, const std::uint8_t* allowed, std::size_t n, float offset,
                 bool replace);

// out (queries x width) = weights (queries x keys) times the rows of `value`.
void attend(const float* weights, std::size_t queries, const Rows& value, std::size_t keys,
            std::size_t width, float* out);

// The same for one query, without packing: what a single step of a stream takes.
void score_keys(const float* query, const Rows& key, std::size_t keys, std::size_t width,
                const Score& score, float* out);
void weigh_rows(const float* weights, const Rows& value, std::size_t keys, std::size_t width,
                float* out);

}  // namespace maskflow::kernels
