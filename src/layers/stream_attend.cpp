// SPDX-License-Identifier: MIT
#include "layers/stream_attend.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "ops/activation.hpp"

namespace maskflow {
namespace {

// Queries whose scores are computed together: many steps in one call need not be one large table.
constexpr std::size_t kBlock = 32;
// Beside it any score is nothing.
constexpr float kHidden = -3e38F;

}  // namespace

StreamAttend::Range StreamAttend::sight(std::size_t row, std::size_t step) const {
  const std::size_t now = past_.seen() - steps_ + step;
  const std::size_t* const places = past_.places(row);
  const std::size_t* const end = places + past_.count(row);
  const std::size_t* const last = std::upper_bound(places, end, now);
  const std::size_t* first = places;
  if (window > 0 && now >= window) first = std::upper_bound(places, last, now - window);
  return {static_cast<std::size_t>(first - places), static_cast<std::size_t>(last - places)};
}

KeptRows StreamAttend::seeing(const Keep& wanted) const {
  KeptRows queries;
  std::vector<std::uint8_t> kept(steps_);
  for (std::size_t b = 0; b < past_.batch(); ++b) {
    for (std::size_t t = 0; t < steps_; ++t) {
      const Range keys = sight(b, t);
      kept[t] = wanted(b, t) && keys.last > keys.first ? 1 : 0;
    }
    queries.add(kept);
  }
  return queries;
}

void StreamAttend::run(const KeptRows& queries, const float* query, bool packed, float* out,
                       float* scores) const {
  for (std::size_t b = 0; b < past_.batch(); ++b) {
    for (std::size_t i = queries.first[b]; i < queries.first[b + 1]; i += kBlock) {
      const Range block{i, std::min(i + kBlock, queries.first[b + 1])};
      run_block(queries, b, block, query, packed, out, scores);
    }
  }
}

void StreamAttend::run_block(const KeptRows& queries, std::size_t row, Range block,
                             const float* query, bool packed, float* out, float* scores) const {
  const Activation softmax("softmax");
  const auto& [heads, key_heads, width, value_width] = heads_;
  const std::size_t n = block.last - block.first;
  const auto step_of = [&](std::size_t i) {
    return static_cast<std::size_t>(queries.index[i]) % steps_;
  };
  const Range keys{sight(row, step_of(block.first)).first,
                   sight(row, step_of(block.last - 1)).last};
  const std::size_t m = keys.last - keys.first;
  std::vector<std::uint8_t> allowed(n > 1 ? n * m : 0);
  for (std::size_t i = 0; n > 1 && i < n; ++i) {
    const Range seen = sight(row, step_of(block.first + i));
    std::fill(allowed.begin() + static_cast<std::ptrdiff_t>(i * m + seen.first - keys.first),
              allowed.begin() + static_cast<std::ptrdiff_t>(i * m + seen.last - keys.first),
              std::uint8_t{1});
  }
  std::vector<float> weights(n * m);
  std::vector<float> part(n * value_width);
  const std::size_t total = past_.seen();
  for (std::size_t h = 0; h < heads; ++h) {
    const std::size_t group = h * key_heads / heads;
    const std::size_t stride = heads * width;
    const kernels::Rows q =
        packed ? kernels::Rows{query + block.first * stride + h * width, stride}
               : kernels::Rows{query + h * width, stride, queries.index.data() + block.first};
    const kernels::Rows k{past_.keys(row) + (keys.first * key_heads + group) * width,
                          key_heads * width};
    const kernels::Rows v{past_.values(row) + (keys.first * key_heads + group) * value_width,
                          key_heads * value_width};
    if (n == 1) {
      kernels::score_keys(q[0], k, m, width, score, weights.data());
    } else {
      kernels::attention_scores(q, n, k, m, width, score, weights.data());
      kernels::mask_scores(weights.data(), allowed.data(), n * m, kHidden, false);
    }
    softmax.apply(weights.data(), n, m);
    if (n == 1) {
      kernels::weigh_rows(weights.data(), v, m, value_width, part.data());
    } else {
      kernels::attend(weights.data(), n, v, m, value_width, part.data());
    }
    for (std::size_t i = 0; i < n; ++i) {
      kernels::copy(part.data() + i * value_width,
                    out + ((block.first + i) * heads + h) * value_width, value_width);
    }
    for (std::size_t i = 0; scores != nullptr && i < n; ++i) {
      float* const shown = scores + ((row * heads + h) * steps_ + step_of(block.first + i)) * total;
      for (std::size_t j = 0; j < m; ++j) {
        shown[past_.places(row)[keys.first + j]] = weights[i * m + j];
      }
    }
  }
}

std::vector<std::uint8_t> kept_steps(const Keep& a, const Keep& b, std::size_t batch,
                                     std::size_t steps) {
  std::vector<std::uint8_t> kept;
  kept.reserve(batch * steps);
  for (std::size_t row = 0; row < batch; ++row) {
    for (std::size_t t = 0; t < steps; ++t) kept.push_back(a(row, t) && b(row, t) ? 1 : 0);
  }
  return kept;
}

KeptRows rows_of(const std::vector<std::uint8_t>& kept, std::size_t batch) {
  KeptRows rows;
  const auto steps = static_cast<std::ptrdiff_t>(kept.size() / batch);
  for (auto row = kept.begin(); row != kept.end(); row += steps) rows.add({row, row + steps});
  return rows;
}

}  // namespace maskflow
