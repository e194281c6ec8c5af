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

class KeptWeights final : public Attend::Keeper {
 public:
  void add(const Floats& weights, bool dropped) override {
    (dropped ? dropped_ : softmax_).push_back(weights);
  }
  [[nodiscard]] const Floats& softmax(std::size_t head) const { return softmax_[head]; }
  // Null where nothing was dropped.
  [[nodiscard]] const Floats* dropped(std::size_t head) const {
    return dropped_.empty() ? nullptr : &dropped_[head];
  }

 private:
  std::vector<Floats> softmax_, dropped_;
};

// A head of a sequence: where its rows and its weights lie.
struct Head {
  std::size_t batch, head, group;  // group: the head of key and value
  std::size_t queries, keys;       // kept ones
  std::size_t first_query, first_key;
  const Floats& softmax;
  const Floats* dropped;  // null: none were
};

class AttendGradient {
 public:
  AttendGradient(const Attend& attend, const AttendInputs& inputs)
      : attend_(attend), sizes_(attend.sizes()), inputs_(inputs) {
    for (const Tensor* tensor : {&inputs.query, &inputs.key, &inputs.value}) {
      gradients_.push_back(Tensor::zeros(DType::kFloat32, tensor->shape()));
    }
    if (attend.score.weights != nullptr) of_features_.assign(sizes_.width, 0.0F);
  }

  // `of_rows`, `of_scores`: the cotangents of the results; null where there is none.
  void add(const Head& head, const float* of_rows, const float* of_scores) {
    gradient_.resize((Count(head.queries) * head.keys).of<float>());
    std::ranges::fill(gradient_, 0.0F);
    if (of_rows != nullptr) add_rows(head, of_rows);
    if (of_scores != nullptr && attend_.returns_dropped) add_scores(head, of_scores);
    if (head.dropped != nullptr) drop(*head.dropped);
    if (of_scores != nullptr && !attend_.returns_dropped) add_scores(head, of_scores);
    kernels::softmax_gradient(head.softmax.data(), gradient_.data(), head.queries, head.keys);
    if (attend_.blind() == NoKeys::kUniform) clear_blind(head);
    score(head);
  }

  // Those of query, key, value and the weights.
  [[nodiscard]] Tensors all() const {
    Tensors gradients = gradients_;
    for (std::size_t i = 0; i < inputs_.weights.size(); ++i) {
      gradients.push_back(of_weight(inputs_.weights[i].shape(), inputs_.roles[i]));
    }
    return gradients;
  }

 private:
  // Through the product with the values.
  void add_rows(const Head& head, const float* of_rows) {
    const std::size_t width = sizes_.value_width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t place = head.group * width;
    const Rows g{of_rows + head.first_query * stride + head.head * width, stride};
    const std::size_t value_stride = sizes_.key_heads * width;
    const float* const value = inputs_.value.floats() + head.first_key * value_stride + place;
    const kernels::PackedMatrix transposed(value, {0, width, head.keys, 1, value_stride});
    kernels::gemm(g, head.queries, transposed, kernels::Start::kZero, nullptr, gradient_.data());
    const Floats& weights = head.dropped == nullptr ? head.softmax : *head.dropped;
    float* const to = gradients_[2].mutable_floats() + head.first_key * value_stride;
    kernels::add_outer({weights.data(), head.keys}, g, head.queries, head.keys, width, to + place,
                       value_stride);
  }

  // Those of the scores lie where all queries and keys have a place.
  void add_scores(const Head& head, const float* of_scores) {
    const auto columns = static_cast<std::size_t>(sizes_.keys);
    const auto rows = static_cast<std::size_t>(sizes_.queries);
    const KeptRows& queries = attend_.queries();
    const KeptRows& keys = attend_.keys();
    float* to = gradient_.data();
    for (std::size_t i = 0; i < head.queries; ++i) {
      const auto query = static_cast<std::size_t>(queries.index[head.first_query + i]);
      const std::size_t row = head.head * rows + query - head.batch * rows;
      const float* const from = of_scores + (head.batch * sizes_.heads * rows + row) * columns;
      for (std::size_t j = 0; j < head.keys; ++j) {
        const auto key = static_cast<std::size_t>(keys.index[head.first_key + j]);
        *to++ += from[key - head.batch * columns];
      }
    }
  }

  void drop(const Floats& dropped) {
    const auto kept = static_cast<float>(1.0 / (1.0 - attend_.dropout));
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      gradient_[i] = dropped[i] == 0 ? 0 : gradient_[i] * kept;
    }
  }

  // A query that sees nothing gets the mean of the values, whatever its scores are.
  void clear_blind(const Head& head) {
    if (head.head == 0 || !attend_.masks_heads_alike()) {
      allowed_ = attend_.block(head.batch, head.head);
    }
    for (std::size_t i = 0; !allowed_.empty() && i < head.queries; ++i) {
      const std::uint8_t* const row = allowed_.data() + i * head.keys;
      if (std::any_of(row, row + head.keys, [](std::uint8_t byte) { return byte != 0; })) continue;
      kernels::clear(gradient_.data() + i * head.keys, head.keys);
    }
  }

  void score(const Head& head) {
    const std::size_t width = sizes_.width;
    const std::size_t stride = sizes_.heads * width;
    const std::size_t key_stride = sizes_.key_heads * width;
    part_.resize((Count(head.keys) * width).of<float>());
    of_query_.resize((Count(head.queries) * width).of<float>());
    score_.query = of_query_.data();
    score_.key = part_.data();
    score_.weights = of_features_.empty() ? nullptr : of_features_.data();
    const std::size_t query = head.first_query * stride + head.head * width;
    const std::size_t key = head.first_key * key_stride + head.group * width;
    kernels::score_gradient({inputs_.query.floats() + query, stride}, head.queries,
                            {inputs_.key.floats() + key, key_stride}, head.keys, width,
                            attend_.score, gradient_.data(), score_);
    add_part(gradients_[1], head.first_key, head.keys, key_stride, head.group * width, width);
    part_.swap(of_query_);
    add_part(gradients_[0], head.first_query, head.queries, stride, head.head * width, width);
  }

  // Adds rows that lie after one another at their places.
  void add_part(Tensor& to, std::size_t first, std::size_t rows, std::size_t stride,
                std::size_t place, std::size_t width) {
    float* row = to.mutable_floats() + first * stride + place;
    for (std::size_t i = 0; i < rows; ++i, row += stride) {
      kernels::add(part_.data() + i * width, row, width);
    }
  }

  [[nodiscard]] Tensor of_weight(const Shape& shape, ScoreWeight role) const {
    if (role == ScoreWeight::kFactor) return Tensor::full(DType::kFloat32, shape, score_.factor);
    if (role == ScoreWeight::kInner) return Tensor::full(DType::kFloat32, shape, score_.inner);
    Tensor gradient = Tensor::zeros(DType::kFloat32, shape);
    const std::span<float> to = gradient.mutable_data<float>();
    // One weight may serve all features.
    for (std::size_t i = 0; i < of_features_.size(); ++i) to[i % to.size()] += of_features_[i];
    return gradient;
  }

  const Attend& attend_;
  const Attend::Sizes& sizes_;
  const AttendInputs& inputs_;
  Tensors gradients_;  // of query, key and value
  kernels::ScoreGradient score_;
  Floats gradient_;  // of the weights of a head, then of its scores
  Floats part_, of_query_, of_features_;
  std::vector<std::uint8_t> allowed_;
};

Tensors gradients_of(const Attend& attend, const KeptWeights& weights, const AttendInputs& inputs,
                     const Tensors& cotangents) {
  const auto numbers = [&](std::size_t i) {
    const bool there = i < cotangents.size() && !cotangents[i].empty_handle();
    return there ? cotangents[i].floats() : nullptr;
  };
  AttendGradient gradient(attend, inputs);
  const Attend::Sizes& sizes = attend.sizes();
  std::size_t next = 0;
  for (std::size_t b = 0; b < static_cast<std::size_t>(sizes.batch); ++b) {
    const std::size_t queries = attend.queries().count(b);
    for (std::size_t h = 0; queries > 0 && h < sizes.heads; ++h, ++next) {
      const Head head{b,
                      h,
                      h * sizes.key_heads / sizes.heads,
                      queries,
                      attend.keys().count(b),
                      attend.queries().first[b],
                      attend.keys().first[b],
                      weights.softmax(next),
                      weights.dropped(next)};
      gradient.add(head, numbers(0), numbers(1));
    }
  }
  return gradient.all();
}

}  // namespace

Tensors record_attend(Tape& tape, Attend attend, const AttendInputs& inputs, const Shape* scores) {
  const Attend::Sizes& sizes = attend.sizes();
  const auto width = static_cast<Dim>(sizes.heads * sizes.value_width);
  Tensors results{Tensor(DType::kFloat32, {static_cast<Dim>(attend.queries().size()), width})};
  if (scores != nullptr) results.push_back(Tensor::zeros(DType::kFloat32, *scores));
  const auto weights = std::make_shared<KeptWeights>();
  attend.keeper = weights.get();
  attend.run(inputs.query.floats(), true, inputs.key.floats(), inputs.value.floats(), true,
             results[0].mutable_floats(),
             scores == nullptr ? nullptr : results[1].mutable_floats());
  Tensors all{inputs.query, inputs.key, inputs.value};
  all.insert(all.end(), inputs.weights.begin(), inputs.weights.end());
  tape.record(all, results, [attend, weights, inputs](const Tensors& cotangents) {
    return gradients_of(attend, *weights, inputs, cotangents);
  });
  return results;
}

}  // namespace maskflow
