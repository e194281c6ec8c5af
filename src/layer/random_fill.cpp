// SPDX-License-Identifier: MIT
#include "layer/random_fill.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <type_traits>
#include <utility>
#include <vector>

#include "kernels/hadamard.hpp"
#include "kernels/hidden.hpp"

namespace maskflow {

double truncated_normal(Random& random) {
  for (;;) {
    const double x = random.normal();
    if (std::fabs(x) < 2) return x;
  }
}

namespace {

struct Rotation {
  // For each round: number i is number from[i] / 2 of the previous round, negated if from[i] is
  // odd.
  std::vector<std::uint32_t> from;
  std::size_t length;
  std::vector<float> before = std::vector<float>(length);
  std::vector<float> after = std::vector<float>(length);
};

template <class Store>
void rotate(Rotation& rotation, std::size_t vector, Store& store) {
  auto& [from, length, before, after] = rotation;
  const std::size_t rest = length - std::bit_floor(length);
  std::ranges::fill(before, 0.0F);
  before[vector] = 1;
  for (std::size_t i = 0; i < from.size();) {
    for (float& x : after) {
      const std::uint32_t place = from[i++];
      // Flips the sign bit, because a branch on random signs would be mispredicted.
      x = std::bit_cast<float>(std::bit_cast<std::uint32_t>(before[place / 2]) ^ (place << 31U));
    }
    for (std::size_t first = 0;; first = rest) {
      kernels::hadamard(&after[first], length - rest);
      if (first == rest) break;
    }
    std::swap(before, after);
  }
  store(vector, before.data());
}

// Writes vectors that are nearly uniformly distributed: rows of a product of random signed
// permutations and Hadamard matrices (Choromanski et al. 2017). It takes count × length ×
// log(length) additions. If the length is not a power of two, one matrix at its start and one at
// its end cover it.
template <class Store>
void store_rotated(std::size_t count, std::size_t length, Random& random, Store&& store) {
  Rotation rotation{std::vector<std::uint32_t>(4 * length), length};
  std::vector<std::uint32_t>& from = rotation.from;
  for (std::size_t i = 0; i < from.size(); ++i) {
    const std::size_t own = i % length;
    const std::uint32_t bits = random.next();
    std::uint32_t& other = from[i - bits % (own + 1)];
    from[i] = other;
    other = static_cast<std::uint32_t>(2 * own) + (bits >> 31U);
  }
  // The pointer is hidden, because an engine that runs a function for the first time replaces it by
  // optimized code only when it is called again. With the loop inside, the first matrix took twice
  // as long.
  const auto rotate_one = kernels::hidden(&rotate<std::remove_reference_t<Store>>);
  for (std::size_t vector = 0; vector < count; ++vector) rotate_one(rotation, vector, store);
}

// Writes uniformly distributed vectors, by the Gram-Schmidt process from normal ones. It takes
// count × count × length products.
template <class Store>
void store_uniform(std::size_t count, std::size_t length, Random& random, Store&& store) {
  std::vector<double> basis(count * length);
  for (std::size_t vector = 0; vector < count;) {
    double* const v = &basis[vector * length];
    for (std::size_t i = 0; i < length; ++i) v[i] = random.normal();
    for (const double* b = basis.data(); b != v; b += length) {
      double dot = 0;
      for (std::size_t i = 0; i < length; ++i) dot += v[i] * b[i];
      for (std::size_t i = 0; i < length; ++i) v[i] -= dot * b[i];
    }
    double norm = 0;
    for (std::size_t i = 0; i < length; ++i) norm += v[i] * v[i];
    norm = std::sqrt(norm);
    if (norm < 1e-6) continue;
    for (std::size_t i = 0; i < length; ++i) v[i] /= norm;
    store(vector, v);
    ++vector;
  }
}

}  // namespace

void fill_orthogonal(std::span<float> out, Dim rows, Dim columns, double gain, Random& random) {
  const bool wide = columns > rows;
  const auto count = static_cast<std::size_t>(wide ? rows : columns);
  const auto length = static_cast<std::size_t>(wide ? columns : rows);
  const auto store = [&](std::size_t vector, const auto* from) {
    for (std::size_t i = 0; i < length; ++i) {
      out[wide ? vector * length + i : i * count + vector] =
          static_cast<float>(gain * static_cast<double>(from[i]));
    }
  };
  // Largest work for which the exact method is used; it then takes a tenth of a second.
  if (static_cast<double>(count) * static_cast<double>(count * length) > 0x1p26) {
    store_rotated(count, length, random, store);
  } else {
    store_uniform(count, length, random, store);
  }
}

}  // namespace maskflow
