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

// Returns the rows of one head: packed rows, or those of all steps with the indices of the kept
// ones.
Rows rows_of(const float* rows, const KeptRows& kept, std::size_t batch, std::size_t stride,
             std::size_t offset, bool packed) {
  if (packed) return {rows + kept.first[batch] * stride + offset, stride};
  return {rows + offset, stride, kept.index.data() + kept.first[batch]};
}

}  // namespace

Attend::Attend(const Sizes& sizes, const Tensor& mask, NoKeys no_keys)
    : sizes_(sizes),
      no_keys_(no_keys),
      queries_(KeptRows::all(sizes.batch, sizes.queries)),
      keys_(KeptRows::all(sizes.batch, sizes.keys)) {
  if (mask.empty_handle()) return;
  Shape shape = mask.shape();
  while (shape.rank() < 4) shape.insert(0, 1);
  mask_ = mask.reshaped(shape);
  if (shape != Shape{sizes.batch, shape[1], sizes.queries, sizes.keys}) {
    mask_ = ops::broadcast_to(mask_, {sizes.batch, shape[1], sizes.queries, sizes.keys});
  }
  if (shape[1] != 1 && shape[1] != static_cast<Dim>(sizes.heads)) {
    shape_error("the attention mask ", mask.shape(), " is for ", shape[1],
                " heads, but the layer has ", sizes.heads);
  }
}

Attend::Head Attend::head(std::size_t batch, std::size_t head) const {
  return {batch,
          head,
          head * sizes_.key_heads / sizes_.heads,
          queries_.count(batch),
          keys_.count(batch),
          queries_.first[batch],
          keys_.first[batch]};
}

// Returns the mask [queries, keys] of a head, with all rows.
const std::uint8_t* Attend::mask_rows(std::size_t batch, std::size_t head) const {
  const auto heads = static_cast<std::size_t>(mask_.shape()[1]);
  const auto size = static_cast<std::size_t>(sizes_.queries * sizes_.keys);
  return mask_.data<std::uint8_t>().data() + (batch * heads + head % heads) * size;
}

void Attend::prune(const std::uint8_t* needed) {
  const auto queries = static_cast<std::size_t>(sizes_.queries);
  const auto keys = static_cast<std::size_t>(sizes_.keys);
  queries_ = keys_ = {};
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes_.batch); ++b) {
    Bytes kept_queries(queries, 0);
    Bytes kept_keys(keys, 0);
    for (std::size_t i = 0; i < queries; ++i) {
      if (needed != nullptr && needed[b * queries + i] == 0) continue;
      bool sees_key = mask_.empty_handle();
      bool has_masked_head = false;
      const auto heads = sees_key ? 0 : static_cast<std::size_t>(mask_.shape()[1]);
      for (std::size_t h = 0; h < heads; ++h) {
        const bool head_sees =
            kernels::add_kept(mask_rows(b, h) + i * keys, keys, kept_keys.data());
        sees_key = sees_key || head_sees;
        has_masked_head = has_masked_head || !head_sees;
      }
      kept_queries[i] = sees_key || no_keys_ == NoKeys::kScored ? 1 : 0;
      // A head that sees no key weighs all of them.
      const bool uses_all_keys =
          heads == 0 || (has_masked_head && kept_queries[i] != 0 && no_keys_ != NoKeys::kZero);
      if (uses_all_keys) std::ranges::fill(kept_keys, std::uint8_t{1});
    }
    queries_.add(kept_queries);
    keys_.add(kept_keys);
  }
}

void Attend::read_mask(const Head& head, Bytes& result) const {
  result.clear();
  if (mask_.empty_handle() || head.keys == 0) return;
  // Kept rows are numbered across all sequences.
  const auto columns = static_cast<std::size_t>(sizes_.keys);
  const std::size_t query_start = head.batch * static_cast<std::size_t>(sizes_.queries);
  const std::size_t key_start = head.batch * columns;
  const std::uint8_t* const mask = mask_rows(head.batch, head.head);
  const std::int32_t* const keys = keys_.index.data() + head.first_key;
  const bool contiguous = static_cast<std::size_t>(keys[head.keys - 1] - keys[0]) == head.keys - 1;
  result.resize(kernels::size_within(result, Count(head.queries) * head.keys));
  std::uint8_t* to = result.data();
  for (std::size_t i = 0; i < head.queries; ++i, to += head.keys) {
    const auto query = static_cast<std::size_t>(queries_.index[head.first_query + i]);
    const std::uint8_t* const row = mask + (query - query_start) * columns;
    if (contiguous) {
      std::copy_n(row + (static_cast<std::size_t>(keys[0]) - key_start), head.keys, to);
    } else {
      for (std::size_t j = 0; j < head.keys; ++j) {
        to[j] = row[static_cast<std::size_t>(keys[j]) - key_start];
      }
    }
  }
  if (std::memchr(result.data(), 0, result.size()) == nullptr) result.clear();
}

void Attend::copy_weights(const Head& head, const kernels::Floats& weights, float* scores) const {
  const auto rows = static_cast<std::size_t>(sizes_.queries);
  const auto columns = static_cast<std::size_t>(sizes_.keys);
  float* const first = scores + (head.batch * sizes_.heads + head.head) * rows * columns;
  const float* from = weights.data();
  for (std::size_t i = 0; i < head.queries; ++i) {
    const auto query = static_cast<std::size_t>(queries_.index[head.first_query + i]);
    float* const row = first + (query - head.batch * rows) * columns;
    for (std::size_t j = 0; j < head.keys; ++j) {
      const auto key = static_cast<std::size_t>(keys_.index[head.first_key + j]);
      row[key - head.batch * columns] = *from++;
    }
  }
}

void Attend::compute_scores(const Inputs& inputs, const Head& head, Room& room) const {
  float* const scores = room.weights.data();
  const std::size_t width = sizes_.width;
  const Rows query = rows_of(inputs.query, queries_, head.batch, sizes_.heads * width,
                             head.head * width, inputs.packed_queries);
  const Rows key = rows_of(inputs.key, keys_, head.batch, sizes_.key_heads * width,
                           head.key_head * width, inputs.packed_keys);
  if (head.queries == 1 && in_place) {
    kernels::score_keys(query[0], key, head.keys, width, score, scores);
  } else {
    kernels::attention_scores(query, head.queries, key, head.keys, width, score, room.packed,
                              scores);
  }
}

// Applies dropout to the weights, and passes them to the recorder and to the returned scores.
void Attend::apply_dropout(const Head& head, kernels::Floats& weights, float* scores) const {
  if (scores != nullptr && !scores_after_dropout) copy_weights(head, weights, scores);
  const std::size_t index = head.batch * sizes_.heads + head.head;
  if (recorder != nullptr) recorder->add(index, weights, false);
  if (dropout > 0) {
    const auto scale = static_cast<float>(1.0 / (1.0 - dropout));
    for (float& weight : weights) weight = random->uniform() < dropout ? 0.0F : weight * scale;
    if (recorder != nullptr) recorder->add(index, weights, true);
  }
  if (scores != nullptr && scores_after_dropout) copy_weights(head, weights, scores);
}

// Sums the values of the head's queries and copies the sums to their places in `out`.
void Attend::sum_values(const Inputs& inputs, const Head& head, Room& room, float* out) const {
  const float* const weights = room.weights.data();
  float* const sums = room.sums.data();
  const std::size_t width = sizes_.value_width;
  const Rows value = rows_of(inputs.value, keys_, head.batch, sizes_.key_heads * width,
                             head.key_head * width, inputs.packed_keys);
  if (head.queries == 1 && in_place) {
    kernels::weigh_rows(weights, value, head.keys, width, sums);
  } else {
    kernels::attend(weights, head.queries, value, head.keys, width, room.packed, sums);
  }
  for (std::size_t i = 0; i < head.queries; ++i) {
    kernels::copy(sums + i * width,
                  out + ((head.first_query + i) * sizes_.heads + head.head) * width, width);
  }
}

std::pair<std::size_t, std::size_t> Attend::max_rows() const {
  std::size_t queries = 0;
  std::size_t keys = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes_.batch); ++b) {
    queries = std::max(queries, queries_.count(b));
    keys = std::max(keys, keys_.count(b));
  }
  return {queries, keys};
}

Attend::Room Attend::make_room() const {
  const auto [queries, keys] = max_rows();
  Room room;
  const Count pairs = Count(queries) * keys;
  room.weights.reserve(pairs.of<float>());
  room.sums.reserve((Count(queries) * sizes_.value_width).of<float>());
  if (!mask_.empty_handle()) room.mask.reserve(pairs.of<std::uint8_t>());
  room.packed = kernels::AttentionRoom(keys, sizes_.width, sizes_.value_width);
  return room;
}

kernels::Work Attend::work() const {
  kernels::Work pairs = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes_.batch); ++b) {
    pairs += kernels::Work{queries_.count(b)} * keys_.count(b);
  }
  return pairs * sizes_.heads * (sizes_.width + sizes_.value_width);
}

void Attend::run_head(const Inputs& inputs, const Head& head, Room& room, float* out,
                      float* scores) const {
  // Added to masked scores. With -3e38, the score itself is lost to rounding.
  const float offset = no_keys_ == NoKeys::kUniform ? -3e38F : -1e9F;
  const bool zeros = no_keys_ == NoKeys::kZero;
  kernels::Floats& weights = room.weights;
  weights.resize(kernels::size_within(weights, Count(head.queries) * head.keys));
  room.sums.resize(kernels::size_within(room.sums, Count(head.queries) * sizes_.value_width));
  compute_scores(inputs, head, room);
  if (room.mask_batch != head.batch || !masks_heads_alike()) read_mask(head, room.mask);
  room.mask_batch = head.batch;
  // Keras's Softmax layer replaces masked scores; its other ways of masking add an offset.
  if (!room.mask.empty()) {
    kernels::mask_scores(weights.data(), room.mask.data(), weights.size(), offset, zeros);
  }
  room.softmax.apply(weights.data(), head.queries, head.keys);
  if (!room.mask.empty() && zeros) {
    kernels::mask_scores(weights.data(), room.mask.data(), weights.size(), 0, true);
  }
  apply_dropout(head, weights, scores);
  sum_values(inputs, head, room, out);
}

void Attend::run(const Inputs& inputs, float* out, float* scores) const {
  for (std::size_t i = 0; recorder != nullptr && i < heads(); ++i) {
    const Head one = head(i / sizes_.heads, i % sizes_.heads);
    recorder->prepare(i, one.queries * one.keys, dropout > 0);
  }
  // Random numbers are drawn in the order of the heads.
  const bool in_parts = dropout == 0 && kernels::is_region(work());
  std::vector<Room> rooms(in_parts ? static_cast<std::size_t>(kernels::team_size()) : 1);
  if (in_parts) {
    for (Room& room : rooms) room = make_room();
  }
  const auto run_one = [&](std::size_t i, Room& room) {
    const Head one = head(i / sizes_.heads, i % sizes_.heads);
    if (one.queries > 0) run_head(inputs, one, room, out, scores);
  };
  if (!in_parts) {
    for (std::size_t i = 0; i < heads(); ++i) run_one(i, rooms.front());
    return;
  }
  kernels::parallel(static_cast<int>(heads()), [&](int i, int member) {
    run_one(static_cast<std::size_t>(i), rooms[static_cast<std::size_t>(member)]);
  });
}

void check_dropout(double rate) {
  if (!(rate >= 0 && rate < 1)) {
    config_error("'dropout' is ", rate, " but must be at least 0 and less than 1");
  }
}

bool all_finite(const Tensor& x) { return kernels::all_finite(x.floats(), x.size()); }

}  // namespace maskflow
