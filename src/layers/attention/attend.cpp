// SPDX-License-Identifier: MIT
#include "layers/attention/attend.hpp"

#include <algorithm>
#include <cstring>

#include "kernels/copy.hpp"
#include "kernels/masking.hpp"
#include "kernels/scan.hpp"
#include "ops/activation.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

using kernels::Rows;
using Bytes = std::vector<std::uint8_t>;

// The rows of one head of one sequence.
Rows rows_of(const float* base, const KeptRows& kept, std::size_t b, std::size_t stride,
             std::size_t offset, bool packed) {
  if (packed) return {base + kept.first[b] * stride + offset, stride};
  return {base + offset, stride, kept.index.data() + kept.first[b]};
}

}  // namespace

Attend::Attend(const Sizes& sizes, const Tensor& allowed, NoKeys blind)
    : sizes_(sizes),
      blind_(blind),
      queries_(KeptRows::all(sizes.batch, sizes.queries)),
      keys_(KeptRows::all(sizes.batch, sizes.keys)) {
  if (allowed.empty_handle()) return;
  Shape shape = allowed.shape();
  while (shape.rank() < 4) shape.insert(0, 1);
  allowed_ = allowed.reshaped(shape);
  if (shape != Shape{sizes.batch, shape[1], sizes.queries, sizes.keys}) {
    Dict target;
    target["shape"] = List{sizes.batch, shape[1], sizes.queries, sizes.keys};
    allowed_ = apply_op1("BroadcastTo", {&allowed_, 1}, target);
  }
  if (shape[1] != 1 && shape[1] != static_cast<Dim>(sizes.heads)) {
    shape_error("the attention mask ", allowed.shape(), " is for ", shape[1],
                " heads, but there are ", sizes.heads);
  }
}

const std::uint8_t* Attend::allowed_of(std::size_t batch, std::size_t head) const {
  const auto heads = static_cast<std::size_t>(allowed_.shape()[1]);
  const auto size = static_cast<std::size_t>(sizes_.queries * sizes_.keys);
  return allowed_.data<std::uint8_t>().data() + (batch * heads + head % heads) * size;
}

void Attend::leave_out(const std::uint8_t* shown) {
  const auto rows = static_cast<std::size_t>(sizes_.queries);
  const auto columns = static_cast<std::size_t>(sizes_.keys);
  queries_ = keys_ = {};
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes_.batch); ++b) {
    Bytes seeing(rows, 0);
    Bytes seen(columns, 0);
    for (std::size_t i = 0; i < rows; ++i) {
      if (shown != nullptr && shown[b * rows + i] == 0) continue;
      bool any = allowed_.empty_handle();
      bool blind_head = false;
      const auto heads = any ? 0 : static_cast<std::size_t>(allowed_.shape()[1]);
      for (std::size_t h = 0; h < heads; ++h) {
        const bool sees = kernels::add_kept(allowed_of(b, h) + i * columns, columns, seen.data());
        any = any || sees;
        blind_head = blind_head || !sees;
      }
      seeing[i] = any || blind_ == NoKeys::kScored ? 1 : 0;
      // A head that sees nothing looks at all keys.
      const bool all = heads == 0 || (blind_head && seeing[i] != 0 && blind_ != NoKeys::kZero);
      if (all) std::ranges::fill(seen, std::uint8_t{1});
    }
    queries_.add(seeing);
    keys_.add(seen);
  }
}

Bytes Attend::block(std::size_t batch, std::size_t head) const {
  const std::size_t m = keys_.count(batch);
  if (allowed_.empty_handle() || m == 0) return {};
  // Kept rows count on from sequence to sequence.
  const auto columns = static_cast<std::size_t>(sizes_.keys);
  const std::size_t first_query = batch * static_cast<std::size_t>(sizes_.queries);
  const std::size_t first_key = batch * columns;
  const std::uint8_t* const mask = allowed_of(batch, head);
  const std::int32_t* const kept = keys_.index.data() + keys_.first[batch];
  const bool in_a_row = static_cast<std::size_t>(kept[m - 1] - kept[0]) == m - 1;
  Bytes result((Count(queries_.count(batch)) * m).of<std::uint8_t>());
  std::uint8_t* to = result.data();
  for (std::size_t i = queries_.first[batch]; i < queries_.first[batch + 1]; ++i, to += m) {
    const std::uint8_t* const row =
        mask + (static_cast<std::size_t>(queries_.index[i]) - first_query) * columns;
    if (in_a_row) {
      std::copy_n(row + (static_cast<std::size_t>(kept[0]) - first_key), m, to);
    } else {
      for (std::size_t j = 0; j < m; ++j) {
        to[j] = row[static_cast<std::size_t>(kept[j]) - first_key];
      }
    }
  }
  if (std::memchr(result.data(), 0, result.size()) == nullptr) result.clear();
  return result;
}

void Attend::drop(kernels::Floats& weights) const {
  const auto kept = static_cast<float>(1.0 / (1.0 - dropout));
  for (float& weight : weights) weight = random->uniform() < dropout ? 0.0F : weight * kept;
}

// Weights that were computed at their places among those of one head of sequence b.
void Attend::place(const kernels::Floats& weights, std::size_t b, float* scores) const {
  const auto columns = static_cast<std::size_t>(sizes_.keys);
  const std::size_t start = b * static_cast<std::size_t>(sizes_.queries) * columns;
  const float* from = weights.data();
  for (std::size_t i = queries_.first[b]; i < queries_.first[b + 1]; ++i) {
    float* row = scores + static_cast<std::size_t>(queries_.index[i]) * columns - start;
    for (std::size_t j = keys_.first[b]; j < keys_.first[b + 1]; ++j) {
      row[static_cast<std::size_t>(keys_.index[j]) - b * columns] = *from++;
    }
  }
}

void Attend::run(const float* query, bool packed_queries, const float* key, const float* value,
                 bool packed_keys, float* out, float* scores) const {
  const Activation softmax("softmax");
  // Added to scores that are not allowed. Beside the second of them any score is nothing.
  const float offset = blind_ == NoKeys::kUniform ? -3e38F : -1e9F;
  const auto& [batch, rows, columns, heads, key_heads, width, value_width] = sizes_;
  const auto size = static_cast<std::size_t>(rows * columns);
  kernels::Floats weights;
  kernels::Floats part;
  Bytes masked;
  for (std::size_t b = 0; b < static_cast<std::size_t>(batch); ++b) {
    const std::size_t n = queries_.count(b);
    const std::size_t m = keys_.count(b);
    weights.resize((Count(n) * m).of<float>());
    part.resize((Count(n) * value_width).of<float>());
    for (std::size_t h = 0; n > 0 && h < heads; ++h) {
      const std::size_t group = h * key_heads / heads;
      const Rows q = rows_of(query, queries_, b, heads * width, h * width, packed_queries);
      const Rows k = rows_of(key, keys_, b, key_heads * width, group * width, packed_keys);
      const Rows v =
          rows_of(value, keys_, b, key_heads * value_width, group * value_width, packed_keys);
      if (n == 1 && in_place) {
        kernels::score_keys(q[0], k, m, width, score, weights.data());
      } else {
        kernels::attention_scores(q, n, k, m, width, score, weights.data());
      }
      if (h == 0 || !masks_heads_alike()) masked = block(b, h);
      if (!masked.empty()) {
        // (Keras's Softmax replaces scores, the other ways add to them.)
        kernels::mask_scores(weights.data(), masked.data(), n * m, offset, blind_ == NoKeys::kZero);
      }
      softmax.apply(weights.data(), n, m);
      if (!masked.empty() && blind_ == NoKeys::kZero) {
        kernels::mask_scores(weights.data(), masked.data(), n * m, 0, true);
      }
      float* const shown = scores == nullptr ? nullptr : scores + (b * heads + h) * size;
      if (shown != nullptr && !returns_dropped) place(weights, b, shown);
      if (keeper != nullptr) keeper->add(weights, false);
      if (dropout > 0) drop(weights);
      if (keeper != nullptr && dropout > 0) keeper->add(weights, true);
      if (shown != nullptr && returns_dropped) place(weights, b, shown);
      if (n == 1 && in_place) {
        kernels::weigh_rows(weights.data(), v, m, value_width, part.data());
      } else {
        kernels::attend(weights.data(), n, v, m, value_width, part.data());
      }
      for (std::size_t i = 0; i < n; ++i) {
        kernels::copy(part.data() + i * value_width,
                      out + ((queries_.first[b] + i) * heads + h) * value_width, value_width);
      }
    }
  }
}

void check_dropout(double rate) {
  if (!(rate >= 0 && rate < 1)) {
    config_error("'dropout' is ", rate, " but must be at least 0 and less than 1");
  }
}

bool finite(const Tensor& x) { return kernels::all_finite(x.floats(), x.size()); }

}  // namespace maskflow
