// SPDX-License-Identifier: MIT
#include "kernels/attention_gradient.hpp"

#include <cmath>

#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"
#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

float dot(const float* a, const float* b, std::size_t n) {
  Vec sum(0.0F);
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    sum = xsimd::fma(Vec::load_unaligned(a + i), Vec::load_unaligned(b + i), sum);
  }
  if (i < n) sum += load_partial(a + i, n - i) * load_partial(b + i, n - i);
  return xsimd::reduce_add(sum);
}

void scale(float* x, std::size_t n, float factor) {
  for (std::size_t i = 0; i < n; ++i) x[i] *= factor;
}

// Loads a vector from a row of which n numbers are left; lanes beyond its end are 0.
Vec load(const float* from, std::size_t n) {
  return n >= kLanes ? Vec::load_unaligned(from) : load_partial(from, n);
}
void store(const Vec& v, float* to, std::size_t n) {
  if (n >= kLanes) {
    v.store_unaligned(to);
  } else {
    store_partial(v, to, n);
  }
}

// Adds the gradients of one additive score; g is the gradient of the score.
void add_pair(const float* q, const float* k, std::size_t width, const Score& score, float g,
              float* dq, float* dk, ScoreGradient& to) {
  Vec factor_gradient(0.0F);
  Vec inner_gradient(0.0F);
  const Vec inner(score.inner);
  const Vec scaled_g(g * score.factor);
  for (std::size_t d = 0; d < width; d += kLanes) {
    const std::size_t n = width - d;
    // Lanes beyond the end are 0, and so is their tanh.
    const Vec sum = load(q + d, n) + load(k + d, n);
    const Vec y = kernels::tanh(inner * sum);
    const Vec weight = score.weights == nullptr ? Vec(1.0F) : load(score.weights + d, n);
    factor_gradient = xsimd::fma(weight, y, factor_gradient);
    const Vec slope = scaled_g * weight * (Vec(1.0F) - y * y);
    inner_gradient = xsimd::fma(slope, sum, inner_gradient);
    const Vec change = slope * inner;
    store(load(dq + d, n) + change, dq + d, n);
    store(load(dk + d, n) + change, dk + d, n);
    if (to.weights == nullptr) continue;
    store(xsimd::fma(scaled_g, y, load(to.weights + d, n)), to.weights + d, n);
  }
  to.factor += g * xsimd::reduce_add(factor_gradient);
  to.inner += xsimd::reduce_add(inner_gradient);
}

// The gradients of the scores of a row add up to 0. Subtracts the rounding error of their sum from
// the smallest of them, which is the most precise. Otherwise the gradient of a bias of all keys,
// which is 0, would have ten times the noise.
void balance(const float* weights, float* g, std::size_t n) {
  double error = 0;
  std::size_t smallest = n;
  for (std::size_t i = 0; i < n; ++i) {
    if (weights[i] == 0) continue;
    error += g[i];
    if (smallest == n || std::abs(g[i]) < std::abs(g[smallest])) smallest = i;
  }
  if (smallest < n) g[smallest] = static_cast<float>(g[smallest] - error);
}

}  // namespace

void score_gradient(const Rows& query, std::size_t queries, const Rows& key, std::size_t keys,
                    std::size_t width, const Score& score, const float* g, PackedMatrix& room,
                    ScoreGradient& to) {
  clear(to.key, keys * width);
  if (score.additive) {
    clear(to.query, queries * width);
    for (std::size_t i = 0; i < queries; ++i) {
      for (std::size_t j = 0; j < keys; ++j, ++g) {
        if (*g == 0) continue;  // a masked score
        add_pair(query[i], key[j], width, score, *g, to.query + i * width, to.key + j * width, to);
      }
    }
    return;
  }
  room.pack(key.base, {0, keys, width, key.stride});
  gemm({g, keys}, queries, room, Start::kZero, nullptr, to.query);
  add_outer({g, keys}, query, queries, keys, width, to.key, width);
  for (std::size_t i = 0; i < queries; ++i) {
    to.factor += dot(query[i], to.query + i * width, width);
  }
  scale(to.query, queries * width, score.factor);
  scale(to.key, keys * width, score.factor);
}

void softmax_gradient(const float* weights, float* g, std::size_t rows, std::size_t n) {
  for (std::size_t row = 0; row < rows; ++row, weights += n, g += n) {
    // The weights add up to 1, apart from rounding.
    double sum = 0;
    double weighted = 0;
    for (std::size_t i = 0; i < n; ++i) {
      sum += weights[i];
      weighted += static_cast<double>(weights[i]) * g[i];
    }
    const auto mean = static_cast<float>(sum == 0 ? 0 : weighted / sum);
    for (std::size_t i = 0; i < n; ++i) g[i] = weights[i] * (g[i] - mean);
    balance(weights, g, n);
  }
}

}  // namespace maskflow::kernels
