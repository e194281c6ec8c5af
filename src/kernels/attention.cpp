// SPDX-License-Identifier: MIT
#include "kernels/attention.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "kernels/flops.hpp"
#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

// sum over d of weights[d] * tanh(inner * (q[d] + k[d])).
float additive_score(const float* q, const float* k, std::size_t width, const Score& score) {
  const Vec inner(score.inner);
  Vec sum(0.0F);
  for (std::size_t d = 0; d < width; d += kLanes) {
    const std::size_t n = width - d;
    const bool whole = n >= kLanes;
    // Lanes beyond the end are 0, and so is their tanh.
    const Vec a = whole ? Vec::load_unaligned(q + d) : load_partial(q + d, n);
    const Vec b = whole ? Vec::load_unaligned(k + d) : load_partial(k + d, n);
    const Vec y = kernels::tanh(inner * (a + b));
    if (score.weights == nullptr) {
      sum += y;
    } else {
      const float* w = score.weights + d;
      sum = xsimd::fma(whole ? Vec::load_unaligned(w) : load_partial(w, n), y, sum);
    }
  }
  return score.factor * xsimd::reduce_add(sum);
}

// The products of a query with kLanes keys; if fewer are left, the last key is repeated. The sums
// are independent of each other, and one horizontal addition finishes all of them.
Vec products(const float* q, const Rows& key, std::size_t first, std::size_t keys,
             std::size_t width) {
  const float* rows[kLanes];
  Vec sums[kLanes];
  for (std::size_t r = 0; r < kLanes; ++r) {
    rows[r] = key[std::min(first + r, keys - 1)];
    sums[r] = Vec(0.0F);
  }
  const std::size_t whole = width - width % kLanes;
  for (std::size_t d = 0; d < whole; d += kLanes) {
    const Vec x = Vec::load_unaligned(q + d);
    for (std::size_t r = 0; r < kLanes; ++r) {
      sums[r] = xsimd::fma(x, Vec::load_unaligned(rows[r] + d), sums[r]);
    }
  }
  float rest[kLanes] = {};
  for (std::size_t d = whole; d < width; ++d) {
    for (std::size_t r = 0; r < kLanes; ++r) rest[r] += q[d] * rows[r][d];
  }
  return xsimd::haddp(sums) + Vec::load_unaligned(rest);
}

// Computes kVectors vectors of columns of the result, from `column` on.
template <std::size_t kVectors>
void weigh_columns(const float* weights, const Rows& value, std::size_t keys, std::size_t column,
                   float* out) {
  Vec sums[kVectors];
  for (Vec& sum : sums) sum = Vec(0.0F);
  for (std::size_t j = 0; j < keys; ++j) {
    const Vec weight(weights[j]);
    const float* row = value[j] + column;
    for (std::size_t v = 0; v < kVectors; ++v) {
      sums[v] = xsimd::fma(weight, Vec::load_unaligned(row + v * kLanes), sums[v]);
    }
  }
  for (std::size_t v = 0; v < kVectors; ++v) sums[v].store_unaligned(out + column + v * kLanes);
}

}  // namespace

AttentionRoom::AttentionRoom(std::size_t keys, std::size_t width, std::size_t value_width) {
  matrix.reserve(width, keys);
  matrix.reserve(keys, value_width);
  rows.reserve((Count(keys) * std::max(width, value_width)).of<float>());
}

void attention_scores(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                      std::size_t width, const Score& score, AttentionRoom& room, float* out) {
  if (score.additive) {
    multiply_adds += static_cast<std::uint64_t>(queries) * keys * width;
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t j = 0; j < keys; ++j) {
        *out++ = additive_score(query[i], key[j], width, score);
      }
    }
    return;
  }
  room.rows.resize(size_within(room.rows, Count(width) * keys));
  float* const columns = room.rows.data();
  for (std::size_t j = 0; j < keys; ++j) {
    const float* row = key[j];
    for (std::size_t d = 0; d < width; ++d) columns[d * keys + j] = score.factor * row[d];
  }
  room.matrix.pack(columns, {0, width, keys, keys});
  gemm(query, queries, room.matrix, Start::kZero, nullptr, out);
}

void mask_scores(float* scores, const std::uint8_t* allowed, std::size_t n, float offset,
                 bool replace) {
  for (std::size_t i = 0; i < n; ++i) {
    const float masked = replace ? offset : scores[i] + offset;
    scores[i] = allowed[i] != 0 ? scores[i] : masked;
  }
}

void attend(const float* weights, std::size_t queries, const Rows& value, std::size_t keys,
            std::size_t width, AttentionRoom& room, float* out) {
  room.rows.resize(size_within(room.rows, Count(keys) * width));
  float* const rows = room.rows.data();
  for (std::size_t j = 0; j < keys; ++j) copy(value[j], rows + j * width, width);
  room.matrix.pack(rows, {0, keys, width, width});
  gemm({weights, keys}, queries, room.matrix, Start::kZero, nullptr, out);
}

void score_keys(const float* query, const Rows& key, std::size_t keys, std::size_t width,
                const Score& score, float* out) {
  multiply_adds += static_cast<std::uint64_t>(keys) * width;
  if (score.additive) {
    for (std::size_t j = 0; j < keys; ++j) out[j] = additive_score(query, key[j], width, score);
    return;
  }
  for (std::size_t j = 0; j < keys; j += kLanes) {
    const Vec scores = score.factor * products(query, key, j, keys, width);
    if (keys - j >= kLanes) {
      scores.store_unaligned(out + j);
    } else {
      store_partial(scores, out + j, keys - j);
    }
  }
}

void weigh_rows(const float* weights, const Rows& value, std::size_t keys, std::size_t width,
                float* out) {
  multiply_adds += static_cast<std::uint64_t>(keys) * width;
  std::size_t d = 0;
  for (; d + 8 * kLanes <= width; d += 8 * kLanes) weigh_columns<8>(weights, value, keys, d, out);
  for (; d + kLanes <= width; d += kLanes) weigh_columns<1>(weights, value, keys, d, out);
  if (d == width) return;
  Vec sum(0.0F);
  for (std::size_t j = 0; j < keys; ++j) {
    sum = xsimd::fma(Vec(weights[j]), load_partial(value[j] + d, width - d), sum);
  }
  store_partial(sum, out + d, width - d);
}

}  // namespace maskflow::kernels
