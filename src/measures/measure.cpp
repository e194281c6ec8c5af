// SPDX-License-Identifier: MIT
#include "measures/measure.hpp"

#include "base/choice.hpp"
#include "ops/ops.hpp"
#include "ops/policy.hpp"

namespace maskflow {

const Measure* find_measure(std::span<const Measure> table, std::string_view name) {
  const std::string key = snake_case(name);
  for (const Measure& measure : table) {
    if (snake_case(measure.op.name) == key || has_word(measure.aliases, key)) return &measure;
  }
  return nullptr;
}

void no_such_measure(std::string_view kind, std::string_view name,
                     std::initializer_list<std::span<const Measure>> tables) {
  std::string names;
  for (const std::span<const Measure>& table : tables) {
    for (const Measure& measure : table) names.append(" ").append(snake_case(measure.op.name));
  }
  config_error("there is no ", kind, " '", name, "'", suggestion(snake_case(name), words(names)),
               "; there are", names);
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

Batch prepared(const Batch& batch, bool fits) {
  const auto floats = [](const Tensor& x) {
    return x.empty_handle() ? x : ops::cast(x, DType::kFloat32);
  };
  Batch result{floats(batch.y_true), floats(batch.y_pred), floats(batch.weight), batch.mask};
  const MaskPtr& attached = batch.y_pred.mask();
  if (attached && batch.mask.empty_handle()) result.mask = attached->values();
  if (!result.mask.empty_handle()) result.mask = floats(ops::cast(result.mask, DType::kBool));
  if (fits) fit_ranks(result.y_true, result.y_pred);
  return result;
}

void check_fits(const Tensor& other, const char* name, const Shape& shape) {
  if (broadcastable(other.shape(), shape) && broadcast(other.shape(), shape) == shape) return;
  shape_error("the ", name, " has shape ", other.shape(), " but the values have shape ", shape,
              "; give one number for each sample or step");
}

Tensor masked_weight(Tensor weight, const Tensor& mask) {
  if (mask.empty_handle() || weight.empty_handle()) return mask.empty_handle() ? weight : mask;
  Tensor kept = mask;
  fit_ranks(kept, weight);
  // A weight for each sample, [batch, 1], broadcasts to a mask of steps. Only Keras's PyTorch back
  // end refuses this, because it multiplies in place.
  if (!broadcastable(kept.shape(), weight.shape())) {
    shape_error("the sample weights have shape ", weight.shape(), " but the mask has shape ",
                kept.shape(), "; give weights of the mask's shape, or [batch, 1]");
  }
  return ops::where(kept, ops::multiply(weight, kept), ops::number(0));
}

bool follows_keras_316() {
  return Policy::current().mask_propagation == MaskPropagation::kKeras316;
}

Value setting_if_any(const OpAttributes& settings, Name name) {
  for (const OpAttribute& attribute : settings.op().attributes) {
    if (attribute.name == name) return settings.get(name);
  }
  return {};
}

int choice(const OpAttributes& settings, Name name, std::string_view choices) {
  const Value value = settings.get(name);
  return value.is_null() ? -1 : choice_index(name, value, choices);
}

double share(const OpAttributes& settings, Name name) {
  const double number = settings.number(name);
  if (!(number >= 0 && number <= 1)) {
    value_error(name, " is ", number, " but must be from 0 to 1");
  }
  return number;
}

}  // namespace maskflow
