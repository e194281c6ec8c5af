// SPDX-License-Identifier: MIT
#include "measures/masked_steps.hpp"

#include <cmath>
#include <vector>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Returns whether a number needs no replacement. With `classes`, numbers from 0 to classes - 1 do.
bool is_usable(float number, Dim classes) {
  if (classes == 0) return std::isfinite(number);
  return number >= 0 && number < static_cast<float>(classes);
}

// Returns whether each row of `x` along the axes of the mask has a mask of its own.
bool is_aligned(const Tensor& x, const Tensor& mask) {
  return x.rank() >= mask.rank() && x.shape().first(mask.rank()) == mask.shape();
}

Dict along(int axis) {
  Dict attributes;
  attributes["axis"] = axis;
  return attributes;
}

// Replaces masked rows by `number` if one of them is not usable. Otherwise copies nothing.
Tensor replaced(const Tensor& x, const Tensor& mask, double number, Dim classes = 0) {
  if (x.is_symbolic() || mask.is_symbolic() || mask.size() == 0 || !is_aligned(x, mask)) return x;
  const std::size_t width = x.size() / mask.size();
  const auto kept = mask.data<float>();
  const auto values = x.data<float>();
  const auto is_bad = [&](std::size_t row) {
    for (const float value : values.subspan(row * width, width)) {
      if (!is_usable(value, classes)) return true;
    }
    return false;
  };
  for (std::size_t row = 0; row < kept.size(); ++row) {
    if (kept[row] != 0 || !is_bad(row)) continue;
    return ops::where(broadcast_mask(mask, x.rank()), x, ops::number(number));
  }
  return x;
}

}  // namespace

Tensor broadcast_mask(const Tensor& mask, int rank) {
  Shape shape = mask.shape();
  while (shape.rank() < rank) shape.push_back(1);
  return mask.reshaped(shape);
}

bool mixes_steps(const Measure& measure) {
  return has_word("Circle CTC Dice Tversky", measure.op.name);
}

Batch without_masked_values(const Measure& measure, Batch batch) {
  if (batch.mask.empty_handle() || mixes_steps(measure)) return batch;
  if (batch.y_pred.rank() <= batch.mask.rank()) return batch;
  const bool has_classes =
      measure.targets == Targets::kClasses || batch.y_true.rank() < batch.y_pred.rank();
  const Dim classes = has_classes ? batch.y_pred.shape().back() : Dim{0};
  batch.y_true = replaced(batch.y_true, batch.mask, 0, classes);
  // Zeros have no cross-entropy.
  batch.y_pred = replaced(batch.y_pred, batch.mask, 1);
  return batch;
}

bool counts_kept_steps(const Measure& measure, const Batch& batch) {
  const Shape& shape = batch.y_pred.shape();
  return measure.op.name == "CTC" && !batch.mask.empty_handle() && shape.rank() == 3 &&
         batch.mask.shape() == shape.first(2);
}

Tensor ctc_of_kept_steps(const Batch& batch) {
  const Shape& shape = batch.y_pred.shape();
  const auto kept = batch.mask.data<float>();
  const std::size_t rows = shape.length(0);
  const std::size_t steps = shape.length(1);
  // The kept steps of each row, then the others.
  Tensor order(DType::kInt32, {shape[0] * shape[1]});
  Tensor counts = Tensor::zeros(DType::kFloat32, {shape[0]});
  bool is_ordered = true;
  for (std::size_t row = 0; row < rows; ++row) {
    std::size_t next = row * steps;
    for (const bool wanted : {true, false}) {
      for (std::size_t i = row * steps; i < (row + 1) * steps; ++i) {
        if ((kept[i] != 0) != wanted) continue;
        is_ordered = is_ordered && next == i;
        order.mutable_data<std::int32_t>()[next++] = static_cast<std::int32_t>(i);
        if (wanted) counts.mutable_floats()[row] += 1;
      }
    }
  }
  Tensor logits = replaced(batch.y_pred, batch.mask, 1);
  if (!is_ordered) {
    const Tensor flat = logits.reshaped({shape[0] * shape[1], shape[2]});
    logits = apply_op1("Take", Tensors{flat, order}, along(0)).reshaped(shape);
  }
  // A row without a kept step has the loss 0.
  const Tensor labels = apply_op1("CountNonzero", Tensors{batch.y_true}, along(-1));
  const Tensor some = ops::where(counts, labels, ops::number(0));
  return apply_op1("CtcLoss", Tensors{batch.y_true, logits, some, counts});
}

}  // namespace maskflow
