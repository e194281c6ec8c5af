// SPDX-License-Identifier: MIT
#include "layers/attention/attend_gradient.hpp"

#include <algorithm>

#include "kernels/attention_gradient.hpp"
#include "kernels/copy.hpp"
#include "kernels/gemm_gradient.hpp"

namespace maskflow {
namespace {

using kernels::Floats;
using kernels::Rows;

class RecordedWeights final : public Attend::Recorder {
 public:
  void add(const Floats& weights, bool after_dropout) override {
    (after_dropout ? after_dropout_ : softmax_).push_back(weights);
  }
  // Returns the weights of a head. `index` counts the heads of all sequences that have queries.
  [[nodiscard]] const Floats& softmax(std::size_t index) const { return softmax_[index]; }
  // Returns the weights that remain after the dropout, or null without dropout.
  [[nodiscard]] const Floats* after_dropout(std::size_t index) const {
    return after_dropout_.empty() ? nullptr : &after_dropout_[index];
  }

 private:
  std::vector<Floats> softmax_, after_dropout_;
};

struct RecordedHead : Attend::Head {
  const Floats& softmax;
  const Floats* after_dropout;  // The weights that remain after the dropout; null without dropout.
};

class AttendGradient {
 public:
  AttendGradient(const Attend& attend, const AttendInputs& inputs)
      : attend_(attend), sizes_(attend.sizes()), inputs_(inputs) {
    for (const Tensor* tensor : {&inputs.query, &inputs.key, &inputs.value}) {
      gradients_.push_back(Tensor::zeros(DType::kFloat32, tensor->shape()));
    }
    if (attend.score.weights != nullptr) feature_gradient_.assign(sizes_.width, 0.0F);
  }

  // Adds the gradients of one head. `out` and `scores` are the cotangents of the results; null if a
  // result is not used.
  void add(const RecordedHead& head, const float* out, const float* scores) {
    gradient_.resize((Count(head.queries) * head.keys).of<float>());
    std::ranges::fill(gradient_, 0.0F);
    if (out != nullptr) add_values(head, out);
    if (scores != nullptr && attend_.scores_after_dropout) add_scores(head, scores);
    if (head.after_dropout != nullptr) apply_dropout(*head.after_dropout);
    if (scores != nullptr && !attend_.scores_after_dropout) add_scores(head, scores);
    kernels::softmax_gradient(head.softmax.data(), gradient_.data(), head.queries, head.keys);
    if (attend_.no_keys() == NoKeys::kUniform) clear_masked_queries(head);
    add_query_and_key(head);
  }

  // Returns the gradients of query, key, value and the weights of the layer.
  [[nodiscard]] Tensors all() const {
    Tensors gradients = gradients_;
    for (std::size_t i = 0; i < inputs_.weights.size(); ++i) {
      gradients.push_back(weight_gradient(inputs_.weights[i].shape(), inputs_.fields[i]));
    }
    return gradients;
  }

 private:
  // Adds the gradient of the value and sets that of the weights, from the cotangent of the sums.
  void add_values(const RecordedHead& head, const float* out) {
    const std::size_t width = sizes_.value_width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t offset = head.key_head * width;
    const Rows g{out + head.first_query * stride + head.head * width, stride};
    const std::size_t value_stride = sizes_.key_heads * width;
    const float* const value = inputs_.value.floats() + head.first_key * value_stride + offset;
    const kernels::PackedMatrix transposed(value, {0, width, head.keys, 1, value_stride});
    kernels::gemm(g, head.queries, transposed, kernels::Start::kZero, nullptr, gradient_.data());
    const Floats& weights = head.after_dropout == nullptr ? head.softmax : *head.after_dropout;
    float* const to = gradients_[2].mutable_floats() + head.first_key * value_stride;
    kernels::add_outer({weights.data(), head.keys}, g, head.queries, head.keys, width, to + offset,
                       value_stride);
  }

  // Adds the cotangent of the scores, which has rows and columns for all queries and keys.
  void add_scores(const RecordedHead& head, const float* scores) {
    const auto columns = static_cast<std::size_t>(sizes_.keys);
    const auto rows = static_cast<std::size_t>(sizes_.queries);
    const KeptRows& queries = attend_.queries();
    const KeptRows& keys = attend_.keys();
    float* to = gradient_.data();
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

  void apply_dropout(const Floats& after_dropout) {
    const auto scale = static_cast<float>(1.0 / (1.0 - attend_.dropout));
    for (std::size_t i = 0; i < after_dropout.size(); ++i) {
      gradient_[i] = after_dropout[i] == 0 ? 0 : gradient_[i] * scale;
    }
  }

  // The result of a query that sees no key is the mean of the values, whatever its scores are.
  void clear_masked_queries(const RecordedHead& head) {
    if (head.head == 0 || !attend_.masks_heads_alike()) mask_ = attend_.mask_of(head);
    for (std::size_t i = 0; !mask_.empty() && i < head.queries; ++i) {
      const std::uint8_t* const row = mask_.data() + i * head.keys;
      if (std::any_of(row, row + head.keys, [](std::uint8_t byte) { return byte != 0; })) continue;
      kernels::clear(gradient_.data() + i * head.keys, head.keys);
    }
  }

  // Adds the gradients of query, key and the weights of the layer, from that of the scores.
  void add_query_and_key(const RecordedHead& head) {
    const std::size_t width = sizes_.width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t key_stride = sizes_.key_heads * width;
    rows_.resize((Count(head.keys) * width).of<float>());
    query_rows_.resize((Count(head.queries) * width).of<float>());
    score_gradient_.query = query_rows_.data();
    score_gradient_.key = rows_.data();
    score_gradient_.weights = feature_gradient_.empty() ? nullptr : feature_gradient_.data();
    const std::size_t query = head.first_query * stride + head.head * width;
    const std::size_t key = head.first_key * key_stride + head.key_head * width;
    kernels::score_gradient({inputs_.query.floats() + query, stride}, head.queries,
                            {inputs_.key.floats() + key, key_stride}, head.keys, width,
                            attend_.score, gradient_.data(), score_gradient_);
    add_rows(gradients_[1], head.first_key, head.keys, key_stride, head.key_head * width, width);
    rows_.swap(query_rows_);
    add_rows(gradients_[0], head.first_query, head.queries, stride, head.head * width, width);
  }

  // Adds `rows_`, which are contiguous, to rows of a gradient.
  void add_rows(Tensor& to, std::size_t first, std::size_t rows, std::size_t stride,
                std::size_t offset, std::size_t width) {
    float* row = to.mutable_floats() + first * stride + offset;
    for (std::size_t i = 0; i < rows; ++i, row += stride) {
      kernels::add(rows_.data() + i * width, row, width);
    }
  }

  [[nodiscard]] Tensor weight_gradient(const Shape& shape, ScoreWeight field) const {
    if (field == ScoreWeight::kFactor) {
      return Tensor::full(DType::kFloat32, shape, score_gradient_.factor);
    }
    if (field == ScoreWeight::kInner) {
      return Tensor::full(DType::kFloat32, shape, score_gradient_.inner);
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
  Tensors gradients_;  // Gradients of query, key and value.
  kernels::ScoreGradient score_gradient_;
  Floats gradient_;  // Gradient of the weights of one head, then of its scores.
  Floats rows_, query_rows_, feature_gradient_;
  std::vector<std::uint8_t> mask_;
};

Tensors gradients_of(const Attend& attend, const RecordedWeights& weights,
                     const AttendInputs& inputs, const Tensors& cotangents) {
  const auto floats_or_null = [&](std::size_t i) {
    const bool is_used = i < cotangents.size() && !cotangents[i].empty_handle();
    return is_used ? cotangents[i].floats() : nullptr;
  };
  AttendGradient gradient(attend, inputs);
  const Attend::Sizes& sizes = attend.sizes();
  std::size_t index = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes.batch); ++b) {
    for (std::size_t h = 0; attend.queries().count(b) > 0 && h < sizes.heads; ++h, ++index) {
      gradient.add({attend.head(b, h), weights.softmax(index), weights.after_dropout(index)},
                   floats_or_null(0), floats_or_null(1));
    }
  }
  return gradient.all();
}

}  // namespace

Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs,
                      const Shape* scores_shape) {
  const Attend::Sizes& sizes = attend.sizes();
  const auto width = static_cast<Dim>(sizes.heads * sizes.value_width);
  Tensors results{Tensor(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width})};
  if (scores_shape != nullptr) results.push_back(Tensor::zeros(DType::kFloat32, *scores_shape));
  const auto weights = std::make_shared<RecordedWeights>();
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
