// SPDX-License-Identifier: MIT
#include "layers/attention/attend_gradient.hpp"

#include <algorithm>

#include "kernels/attention_gradient.hpp"
#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"
#include "kernels/team.hpp"

namespace maskflow {
namespace {

using kernels::Floats;
using kernels::Rows;

class RecordedWeights final : public Attend::Recorder {
 public:
  explicit RecordedWeights(std::size_t heads) : softmax_(heads), after_dropout_(heads) {}
  void prepare(std::size_t head, std::size_t size, bool has_dropout) override {
    softmax_[head].resize(size);
    if (has_dropout) after_dropout_[head].resize(size);
    has_dropout_ = has_dropout;
  }
  void add(std::size_t head, const Floats& weights, bool after_dropout) override {
    std::ranges::copy(weights, (after_dropout ? after_dropout_ : softmax_)[head].begin());
  }
  [[nodiscard]] const Floats& softmax(std::size_t head) const { return softmax_[head]; }
  // Returns the weights that remain after the dropout, or null without dropout.
  [[nodiscard]] const Floats* after_dropout(std::size_t head) const {
    return has_dropout_ ? &after_dropout_[head] : nullptr;
  }

 private:
  std::vector<Floats> softmax_, after_dropout_;
  bool has_dropout_ = false;
};

struct RecordedHead : Attend::Head {
  const Floats& softmax;
  const Floats* after_dropout;  // The weights that remain after the dropout; null without dropout.
};

// Memory for the gradients of one head at a time.
struct GradientRoom {
  Floats gradient;  // Gradient of the weights of the head, then of its scores.
  Floats rows, query_rows;
  kernels::PackedMatrix matrix;
  std::vector<std::uint8_t> mask;
  std::size_t mask_batch = SIZE_MAX;  // the sequence whose mask is in `mask`
  kernels::ScoreGradient score;
};

class AttendGradient {
 public:
  AttendGradient(const Attend& attend, const AttendInputs& inputs)
      : attend_(attend), sizes_(attend.sizes()), inputs_(inputs) {
    for (const Tensor* tensor : {&inputs.query, &inputs.key, &inputs.value}) {
      gradients_.push_back(Tensor::zeros(DType::kFloat32, tensor->shape()));
      to_.push_back(gradients_.back().mutable_floats());
    }
    if (attend.score.weights != nullptr) feature_gradient_.assign(sizes_.width, 0.0F);
  }

  // Adds the gradients of one head. `out` and `scores` are the cotangents of the results; null if a
  // result is not used.
  void add(const RecordedHead& head, const float* out, const float* scores, GradientRoom& room) {
    Floats& gradient = room.gradient;
    gradient.resize(kernels::size_within(gradient, Count(head.queries) * head.keys));
    std::ranges::fill(gradient, 0.0F);
    if (out != nullptr) add_values(head, out, room);
    if (scores != nullptr && attend_.scores_after_dropout) {
      add_scores(head, scores, gradient.data());
    }
    if (head.after_dropout != nullptr) apply_dropout(*head.after_dropout, gradient);
    if (scores != nullptr && !attend_.scores_after_dropout) {
      add_scores(head, scores, gradient.data());
    }
    kernels::softmax_gradient(head.softmax.data(), gradient.data(), head.queries, head.keys);
    if (attend_.no_keys() == NoKeys::kUniform) clear_masked_queries(head, room);
    add_query_and_key(head, room);
  }

  // Whether heads can be added at the same time, each with a room of its own. The gradients of
  // weights are sums of all heads in their order.
  [[nodiscard]] bool runs_in_parts() const {
    return inputs_.weights.empty() && kernels::is_region(2 * attend_.work());
  }
  // Returns a room that suffices for every head.
  [[nodiscard]] GradientRoom make_room() const {
    const auto [queries, keys] = attend_.max_rows();
    const Count pairs = Count(queries) * keys;
    const Count rows = Count(std::max(queries, keys)) * sizes_.width;
    GradientRoom room;
    room.gradient.reserve(pairs.of<float>());
    room.rows.reserve(rows.of<float>());
    room.query_rows.reserve(rows.of<float>());
    room.matrix.reserve(sizes_.value_width, keys);
    room.matrix.reserve(keys, sizes_.width);
    room.mask.reserve(pairs.of<std::uint8_t>());
    return room;
  }

  // Returns the gradients of query, key, value and the weights of the layer, which were added to
  // `score`.
  [[nodiscard]] Tensors all(const kernels::ScoreGradient& score) const {
    Tensors gradients = gradients_;
    for (std::size_t i = 0; i < inputs_.weights.size(); ++i) {
      gradients.push_back(weight_gradient(inputs_.weights[i].shape(), inputs_.fields[i], score));
    }
    return gradients;
  }

 private:
  // Adds the gradient of the value and sets that of the weights, from the cotangent of the sums.
  void add_values(const RecordedHead& head, const float* out, GradientRoom& room) const {
    const std::size_t width = sizes_.value_width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t offset = head.key_head * width;
    const Rows g{out + head.first_query * stride + head.head * width, stride};
    const std::size_t value_stride = sizes_.key_heads * width;
    const float* const value = inputs_.value.floats() + head.first_key * value_stride + offset;
    room.matrix.pack(value, {0, width, head.keys, 1, value_stride});
    kernels::gemm(g, head.queries, room.matrix, kernels::Start::kZero, nullptr,
                  room.gradient.data());
    const Floats& weights = head.after_dropout == nullptr ? head.softmax : *head.after_dropout;
    float* const to = to_[2] + head.first_key * value_stride;
    kernels::add_outer({weights.data(), head.keys}, g, head.queries, head.keys, width, to + offset,
                       value_stride);
  }

  // Adds the cotangent of the scores, which has rows and columns for all queries and keys.
  void add_scores(const RecordedHead& head, const float* scores, float* to) const {
    const auto columns = static_cast<std::size_t>(sizes_.keys);
    const auto rows = static_cast<std::size_t>(sizes_.queries);
    const KeptRows& queries = attend_.queries();
    const KeptRows& keys = attend_.keys();
    for (std::size_t i = 0; i < head.queries; ++i) {
      const auto query = static_cast<std::size_t>(queries.index[head.first_query + i]);
      const std::size_t row = head.head * rows + query - head.batch * rows;
      const float* const from = scores + (head.batch * sizes_.heads * rows + row) * columns;
      for (std::size_t j = 0; j < head.keys; ++j) {
        const auto key = static_cast<std::size_t>(keys.index[head.first_key + j]);
        *to++ += from[key - head.batch * columns];
      }
    }
  }

  void apply_dropout(const Floats& after_dropout, Floats& gradient) const {
    const auto scale = static_cast<float>(1.0 / (1.0 - attend_.dropout));
    for (std::size_t i = 0; i < after_dropout.size(); ++i) {
      gradient[i] = after_dropout[i] == 0 ? 0 : gradient[i] * scale;
    }
  }

  // The result of a query that sees no key is the mean of the values, whatever its scores are.
  void clear_masked_queries(const RecordedHead& head, GradientRoom& room) const {
    if (room.mask_batch != head.batch || !attend_.masks_heads_alike()) {
      attend_.read_mask(head, room.mask);
    }
    room.mask_batch = head.batch;
    for (std::size_t i = 0; !room.mask.empty() && i < head.queries; ++i) {
      const std::uint8_t* const row = room.mask.data() + i * head.keys;
      if (std::any_of(row, row + head.keys, [](std::uint8_t byte) { return byte != 0; })) continue;
      kernels::clear(room.gradient.data() + i * head.keys, head.keys);
    }
  }

  // Adds the gradients of query, key and the weights of the layer, from that of the scores.
  void add_query_and_key(const RecordedHead& head, GradientRoom& room) {
    const std::size_t width = sizes_.width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t key_stride = sizes_.key_heads * width;
    room.rows.resize(kernels::size_within(room.rows, Count(head.keys) * width));
    room.query_rows.resize(kernels::size_within(room.query_rows, Count(head.queries) * width));
    room.score.query = room.query_rows.data();
    room.score.key = room.rows.data();
    room.score.weights = feature_gradient_.empty() ? nullptr : feature_gradient_.data();
    const std::size_t query = head.first_query * stride + head.head * width;
    const std::size_t key = head.first_key * key_stride + head.key_head * width;
    kernels::score_gradient({inputs_.query.floats() + query, stride}, head.queries,
                            {inputs_.key.floats() + key, key_stride}, head.keys, width,
                            attend_.score, room.gradient.data(), room.matrix, room.score);
    add_rows(room.rows, to_[1] + key, key_stride);
    add_rows(room.query_rows, to_[0] + query, stride);
  }

  // Adds rows of a head, which are contiguous, to rows of a gradient.
  void add_rows(const Floats& rows, float* to, std::size_t stride) const {
    for (std::size_t i = 0; i < rows.size(); i += sizes_.width, to += stride) {
      kernels::add(rows.data() + i, to, sizes_.width);
    }
  }

  [[nodiscard]] Tensor weight_gradient(const Shape& shape, ScoreWeight field,
                                       const kernels::ScoreGradient& score) const {
    if (field == ScoreWeight::kFactor) {
      return Tensor::full(DType::kFloat32, shape, score.factor);
    }
    if (field == ScoreWeight::kInner) {
      return Tensor::full(DType::kFloat32, shape, score.inner);
    }
    Tensor gradient = Tensor::zeros(DType::kFloat32, shape);
    const std::span<float> to = gradient.mutable_data<float>();
    // A single weight may serve all features; its gradient is then their sum.
    for (std::size_t i = 0; i < feature_gradient_.size(); ++i) {
      to[i % to.size()] += feature_gradient_[i];
    }
    return gradient;
  }

  const Attend& attend_;
  const Attend::Sizes& sizes_;
  const AttendInputs& inputs_;
  Tensors gradients_;  // Gradients of query, key and value, and their numbers.
  std::vector<float*> to_;
  Floats feature_gradient_;
};

Tensors gradients_of(const Attend& attend, const RecordedWeights& weights,
                     const AttendInputs& inputs, const Tensors& cotangents) {
  const auto floats_or_null = [&](std::size_t i) {
    const bool is_used = i < cotangents.size() && !cotangents[i].empty_handle();
    return is_used ? cotangents[i].floats() : nullptr;
  };
  AttendGradient gradient(attend, inputs);
  const float* const out = floats_or_null(0);
  const float* const scores = floats_or_null(1);
  const Attend::Sizes& sizes = attend.sizes();
  const bool in_parts = gradient.runs_in_parts();
  std::vector<GradientRoom> rooms(in_parts ? static_cast<std::size_t>(kernels::team_size()) : 1);
  if (in_parts) {
    for (GradientRoom& room : rooms) room = gradient.make_room();
  }
  // A part is the heads that share a key head, whose gradient is their sum in their order.
  const std::size_t heads = sizes.heads / sizes.key_heads;
  const auto add_part = [&](int part, int member) {
    const std::size_t first = static_cast<std::size_t>(part) * heads;
    const std::size_t b = first / sizes.heads;
    for (std::size_t i = first; attend.queries().count(b) > 0 && i < first + heads; ++i) {
      gradient.add({attend.head(b, i % sizes.heads), weights.softmax(i), weights.after_dropout(i)},
                   out, scores, rooms[static_cast<std::size_t>(member)]);
    }
  };
  const auto parts = static_cast<int>(static_cast<std::size_t>(sizes.batch) * sizes.key_heads);
  if (in_parts) {
    kernels::parallel(parts, add_part);
  } else {
    for (int part = 0; part < parts; ++part) add_part(part, 0);
  }
  return gradient.all(rooms.front().score);
}

}  // namespace

Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs,
                      const Shape* scores_shape) {
  const Attend::Sizes& sizes = attend.sizes();
  const auto width = static_cast<Dim>(sizes.heads * sizes.value_width);
  Tensors results{Tensor(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width})};
  if (scores_shape != nullptr) results.push_back(Tensor::zeros(DType::kFloat32, *scores_shape));
  const auto weights = std::make_shared<RecordedWeights>(attend.heads());
  attend.recorder = weights.get();
  attend.run({.query = inputs.query.floats(),
              .key = inputs.key.floats(),
              .value = inputs.value.floats(),
              .packed_queries = true,
              .packed_keys = true},
             results[0].mutable_floats(),
             scores_shape == nullptr ? nullptr : results[1].mutable_floats());
  Tensors operands{inputs.query, inputs.key, inputs.value};
  operands.insert(operands.end(), inputs.weights.begin(), inputs.weights.end());
  tape.record(operands, results, [attend, weights, inputs](const Tensors& cotangents) {
    return gradients_of(attend, *weights, inputs, cotangents);
  });
  return results;
}

}  // namespace maskflow
