// SPDX-License-Identifier: MIT
// The parts of attention other than plain matrix products.
#pragma once

#include <cstddef>
#include <cstdint>

#include "kernels/gemm.hpp"

namespace maskflow::kernels {

// Score of a query q and a key k. It is factor * q.k, or if `additive`, factor * sum over d of
// weights[d] * tanh(inner * (q[d] + k[d])). Null `weights` are ones.
struct Score {
  bool additive = false;
  float factor = 1;
  float inner = 1;
  const float* weights = nullptr;
};

// Memory of attention_scores() and attend(), which allocate nothing if it suffices.
struct AttentionRoom {
  AttentionRoom() = default;
  AttentionRoom(std::size_t keys, std::size_t width, std::size_t value_width);

  PackedMatrix matrix;
  Floats rows;
};

// out[i * keys + j] = score of query i and key j. Queries and keys are rows of `width` numbers.
void attention_scores(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                      std::size_t width, const Score& score, AttentionRoom& room, float* out);

// Adds `offset` to the scores where `allowed` is 0; with `replace`, sets them to it.
void mask_scores(float* scores, const std::uint8_t* allowed, std::size_t n, float offset,
                 bool replace);

// out [queries, width] = weights [queries, keys] times the rows of `value`.
void attend(const float* weights, std::size_t queries, const Rows& value, std::size_t keys,
            std::size_t width, AttentionRoom& room, float* out);

// attention_scores() and attend() for one query, without packing: for a step of a stream.
void score_keys(const float* query, const Rows& key, std::size_t keys, std::size_t width,
                const Score& score, float* out);
void weigh_rows(const float* weights, const Rows& value, std::size_t keys, std::size_t width,
                float* out);

}  // namespace maskflow::kernels
