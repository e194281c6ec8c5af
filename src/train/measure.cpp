// SPDX-License-Identifier: MIT
#include "train/measure.hpp"

#include "ops/ops.hpp"

namespace maskflow {

const Measure* find_measure(std::span<const Measure> table, std::string_view name) {
  const std::string wanted = snake_case(name);
  for (const Measure& measure : table) {
    if (snake_case(measure.op.name) == wanted) return &measure;
    for (const std::string& alias : words(measure.aliases)) {
      if (alias == wanted) return &measure;
    }
  }
  return nullptr;
}

void no_such_measure(std::string_view what, std::string_view name,
                     std::initializer_list<std::span<const Measure>> tables) {
  std::string names;
  for (const std::span<const Measure>& table : tables) {
    for (const Measure& measure : table) names.append(" ").append(snake_case(measure.op.name));
  }
  config_error("there is no ", what, " '", name, "'; there are", names);
}

void fit_ranks(Tensor& a, Tensor& b, bool expand) {
  Tensor& larger = a.rank() > b.rank() ? a : b;
  Tensor& smaller = a.rank() > b.rank() ? b : a;
  if (larger.rank() != smaller.rank() + 1 || larger.shape().back() != 1) return;
  if (smaller.rank() == 1 && expand) {
    smaller = ops::expand_dims(smaller, -1);
  } else {
    larger = larger.reshaped(larger.shape().first(smaller.rank()));
  }
}

Batch prepared(const Batch& batch) {
  Batch result{
      ops::cast(batch.y_true, DType::kFloat32), ops::cast(batch.y_pred, DType::kFloat32), {}};
  fit_ranks(result.y_true, result.y_pred);
  if (!batch.weight.empty_handle()) result.weight = ops::cast(batch.weight, DType::kFloat32);
  return result;
}

void check_fits(const Tensor& other, const char* what, const Shape& shape) {
  if (broadcastable(other.shape(), shape) && broadcast(other.shape(), shape) == shape) return;
  shape_error("the ", what, " has shape ", other.shape(), " but the values have shape ", shape,
              ", one for each step or sample; give one number for each of them");
}

Tensor masked_weight(Tensor weight, const Tensor& mask) {
  if (mask.empty_handle() || weight.empty_handle()) return mask.empty_handle() ? weight : mask;
  Tensor kept = mask;
  fit_ranks(kept, weight);
  // Keras multiplies in place: weights that would grow with the mask are an error.
  if (!broadcastable(kept.shape(), weight.shape()) ||
      broadcast(kept.shape(), weight.shape()) != weight.shape()) {
    shape_error("the sample weights have shape ", weight.shape(), " but the mask has shape ",
                kept.shape(), "; give weights of the mask's shape");
  }
  return ops::multiply(weight, kept);
}

}  // namespace maskflow
