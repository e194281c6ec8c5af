// SPDX-License-Identifier: MIT
// Connectionist temporal classification (Graves et al. 2006): the probability of a labelling,
// summed over all its alignments with the steps.
#include <vector>

#include "ops/log_add.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Log probabilities of the alignments that end at each position of blank, label, blank, ..., blank.
class Alignments {
 public:
  Alignments(std::vector<std::int32_t> labels, std::int32_t blank) : labels_(std::move(labels)) {
    for (std::size_t i = labels_.size() + 1; i-- > 0;) {
      labels_.insert(labels_.begin() + static_cast<std::ptrdiff_t>(i), blank);
    }
    ends_.assign(labels_.size(), kLogZero);
  }
  void step(const float* log_odds) {
    std::vector<double> next(ends_.size(), kLogZero);
    for (std::size_t s = 0; s < ends_.size(); ++s) {
      double sum = started_ ? ends_[s] : s < 2 ? 0.0 : kLogZero;
      if (started_ && s > 0) sum = log_add(sum, ends_[s - 1]);
      // The blank between two different labels may be skipped.
      if (started_ && s > 1 && labels_[s] != labels_[s - 2]) sum = log_add(sum, ends_[s - 2]);
      next[s] = sum + static_cast<double>(log_odds[labels_[s]]);
    }
    ends_ = std::move(next);
    started_ = true;
  }
  [[nodiscard]] double loss() const {
    if (!started_) return labels_.size() == 1 ? 0 : -kLogZero;
    return -(ends_.size() == 1 ? ends_[0] : log_add(ends_.back(), ends_[ends_.size() - 2]));
  }

 private:
  std::vector<std::int32_t> labels_;
  std::vector<double> ends_;
  bool started_ = false;
};

void check_range(const char* name, Dim value, Dim largest) {
  if (value < 0 || value > largest) {
    value_error(name, " is ", value, " but must be 0 to ", largest);
  }
}

Tensors ctc_loss(Operands x, const OpAttributes& attributes) {
  const Tensor labels = ops::cast(x[0], DType::kInt32);
  const Tensor floats = ops::cast(x[1], DType::kFloat32);
  const Tensor label_counts = ops::cast(x[2], DType::kInt32);
  const Tensor step_counts = ops::cast(x[3], DType::kInt32);
  const Shape& shape = floats.shape();
  if (labels.rank() != 2 || shape.rank() != 3 || labels.shape()[0] != shape[0] ||
      label_counts.shape() != shape.first(1) || step_counts.shape() != shape.first(1)) {
    shape_error(
        "labels must be [batch, length], logits [batch, time, classes] and both lengths "
        "[batch], but have shapes ",
        labels.shape(), ", ", shape, ", ", label_counts.shape(), " and ", step_counts.shape());
  }
  const Tensor log_odds = ops::log_softmax(floats, -1);
  check_range("mask_index", attributes.integer("mask_index"), shape[2] - 1);
  const auto blank = static_cast<std::int32_t>(attributes.integer("mask_index"));
  Tensor result(DType::kFloat32, shape.first(1));
  for (Dim b = 0; b < shape[0]; ++b) {
    const auto row = at(b);
    const std::int32_t count = label_counts.data<std::int32_t>()[row];
    const std::int32_t steps = step_counts.data<std::int32_t>()[row];
    check_range("a target_length", count, labels.shape()[1]);
    check_range("an output_length", steps, shape[1]);
    const auto first =
        labels.data<std::int32_t>().begin() + static_cast<std::ptrdiff_t>(b * labels.shape()[1]);
    std::vector<std::int32_t> row_labels(first, first + count);
    for (const std::int32_t label : row_labels) check_range("a label", label, shape[2] - 1);
    Alignments alignments(std::move(row_labels), blank);
    for (Dim t = 0; t < steps; ++t) {
      alignments.step(log_odds.floats() + (b * shape[1] + t) * shape[2]);
    }
    result.mutable_data<float>()[row] = static_cast<float>(alignments.loss());
  }
  return {result};
}

constexpr OpAttribute kSettings[] = {
    {"mask_index", "number", "Class of the blank: a step without a label.", false, 0},
};
constexpr OpDef kOps[] = {
    {"CtcLoss", "target output target_length output_length", kSettings,
     "Connectionist temporal classification (Graves et al. 2006): the negative log probability "
     "[batch] of labels [batch, length] under logits [batch, time, classes]. The last two operands "
     "[batch] are the numbers of labels and of steps that count.",
     ctc_loss},
};
const RegisterOps registration{kOps};

}  // namespace
}  // namespace maskflow
