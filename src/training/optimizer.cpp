// SPDX-License-Identifier: MIT
// A step, in the order of Keras's base optimizer.
#include "training/optimizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "training/update.hpp"

namespace maskflow {
namespace {

// Returns the numbers of a variable for writing. Allocates nothing after `prepare`.
float* writable_floats(const VariablePtr& variable) {
  return variable->writable().mutable_floats();
}

// Reduces a scale so that the norm does not exceed the limit. If the norm is not finite, the result
// is 0 or NaN, as in Keras.
float clipped_scale(float norm, double max_norm, float scale) {
  const auto limit = static_cast<float>(max_norm);
  return scale * (limit / std::max(norm, limit));
}

bool is_set(const std::optional<double>& setting) { return setting && *setting > 0; }

}  // namespace

std::size_t Optimizer::index_of(const VariablePtr& variable) const {
  const auto place = index_.find(variable.get());
  if (place == index_.end()) {
    value_error("optimizer '", name_, "' (variables: ", entries_.size(),
                ") was not built for the variable '", variable->name(), "' ", variable->shape(),
                "; make a new optimizer for other variables");
  }
  return place->second;
}

void Optimizer::check_pairs(std::span<const VariableGradient> gradients,
                            std::span<const VariablePtr> variables) {
  if (gradients.size() != variables.size()) {
    value_error("apply() got ", gradients.size(), " gradients for ", variables.size(),
                " variables");
  }
  pairs_.clear();
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const std::size_t index = index_of(variables[i]);
    const std::string& path = entries_[index].trained.path;
    if (gradients[i].is_empty()) continue;
    const Tensor& gradient = gradients[i].dense;
    if (gradient.shape() != variables[i]->shape()) {
      shape_error("variable '", path, "' has shape ", variables[i]->shape(),
                  " but its gradient has shape ", gradient.shape());
    }
    if (gradient.dtype() != DType::kFloat32) {
      value_error("the gradient of '", path, "' is ", gradient.dtype(), " but must be float32");
    }
    // Reads the data: computes a Lookup's rows now, and throws for a symbolic tensor.
    static_cast<void>(gradient.data<float>());
    pairs_.push_back({index, &gradient});
  }
  for (std::size_t i = 1; i < pairs_.size(); ++i) {
    const auto same = [&](const Pair& pair) { return pair.entry == pairs_[i].entry; };
    if (std::none_of(pairs_.begin(), pairs_.begin() + static_cast<std::ptrdiff_t>(i), same))
      continue;
    value_error("variable '", entries_[pairs_[i].entry].trained.path,
                "' has two gradients in one step; add them");
  }
  if (pairs_.empty()) {
    value_error("none of ", variables.size(),
                " variables has a gradient; compute the loss from at least one of them");
  }
}

void Optimizer::apply(std::span<const VariableGradient> gradients,
                      std::span<const VariablePtr> variables) {
  if (!built_) {
    state_error("optimizer '", name_, "' has no variables yet; call build(variables) first");
  }
  if (gradients.empty() && variables.empty()) return;
  check_pairs(gradients, variables);
  apply_checked(pairs_, 1);
}

void Optimizer::apply_checked(std::span<const Pair> pairs, float divisor) {
  if (loss_scale_factor_) divisor *= static_cast<float>(*loss_scale_factor_);
  const std::int64_t every = accumulation_steps_.value_or(0);
  const bool updates = every == 0 || (steps() + 1) % every == 0;
  prepare(pairs, updates);
  const float scale = 1 / divisor;
  if (every != 0) accumulate(pairs, scale);
  if (updates) update_all(pairs, every == 0 ? scale : 1 / static_cast<float>(every));
  if (use_ema_) average_weights();
  constrain(pairs);
  std::int32_t& iteration = iteration_->writable().mutable_data<std::int32_t>()[0];
  iteration = static_cast<std::int32_t>(static_cast<std::uint32_t>(iteration) + 1);
}

// Allocates all memory of the step, so that nothing can fail after the first change.
void Optimizer::prepare(std::span<const Pair> pairs, bool updates) {
  for (const Pair& pair : pairs) {
    const Entry& entry = entries_[pair.entry];
    if (!updates && entry.trained.constraint == nullptr) continue;
    static_cast<void>(entry.trained.variable->writable());
    for (const VariablePtr& slot : entry.slots) static_cast<void>(slot->writable());
  }
  for (const Entry& entry : entries_) {
    if (entry.accumulator) static_cast<void>(entry.accumulator->writable());
    if (entry.average) static_cast<void>(entry.average->writable());
    if (entry.average && ema_overwrite_frequency_) {
      static_cast<void>(entry.trained.variable->writable());
    }
  }
  static_cast<void>(iteration_->writable());
}

void Optimizer::accumulate(std::span<const Pair> pairs, float scale) {
  for (const Pair& pair : pairs) {
    float* const sum = writable_floats(entries_[pair.entry].accumulator);
    const std::span<const float> gradient = pair.gradient->data<float>();
    for (std::size_t i = 0; i < gradient.size(); ++i) sum[i] += gradient[i] * scale;
  }
}

const float* Optimizer::gradient_of(const Pair& pair) const {
  const Entry& entry = entries_[pair.entry];
  return entry.accumulator ? entry.accumulator->data() : pair.gradient->floats();
}

float Optimizer::global_scale(std::span<const Pair> pairs, float scale) const {
  double squares = 0;
  for (const Pair& pair : pairs)
    squares += sum_of_squares(gradient_of(pair), pair.gradient->size());
  const float norm = std::abs(scale) * static_cast<float>(std::sqrt(squares));
  // Adds norm - norm, which is 0, or NaN for a norm that is not finite: then all gradients become
  // NaN.
  return clipped_scale(norm, *global_clipnorm_, scale) + (norm - norm);
}

void Optimizer::update_all(std::span<const Pair> pairs, float scale) {
  const float rate = learning_rate();
  const float count = static_cast<float>(static_cast<std::int64_t>(iterations()) + 1);
  if (!is_set(clipnorm_) && is_set(global_clipnorm_)) scale = global_scale(pairs, scale);
  begin_update(count);
  for (const Pair& pair : pairs) update_one(pair, scale, rate, count);
  for (const Entry& entry : entries_) {
    if (entry.accumulator) {
      std::fill_n(writable_floats(entry.accumulator), entry.accumulator->value().size(), 0.0F);
    }
  }
}

void Optimizer::update_one(const Pair& pair, float scale, float rate, float count) {
  const Entry& entry = entries_[pair.entry];
  const std::size_t size = pair.gradient->size();
  if (size == 0) return;
  const float* const gradient = gradient_of(pair);
  float limit = std::numeric_limits<float>::infinity();
  if (is_set(clipnorm_)) {
    scale = clipped_scale(std::abs(scale) * norm(gradient, size), *clipnorm_, scale);
  } else if (!is_set(global_clipnorm_) && is_set(clipvalue_)) {
    limit = static_cast<float>(*clipvalue_);
  }
  slots_.clear();
  for (const VariablePtr& slot : entry.slots) slots_.push_back(writable_floats(slot));
  const std::optional<double> decay =
      entry.decays ? weight_decay_of(entry) : std::optional<double>();
  update({entry.trained.variable->shape(), size, writable_floats(entry.trained.variable), gradient,
          scale, limit, decay ? 1 - static_cast<float>(*decay) * rate : 1, rate, count, slots_});
}

void Optimizer::average_weights() {
  const std::int64_t step = iterations();
  const float momentum = step == 0 ? 0 : static_cast<float>(ema_momentum_);
  for (const Entry& entry : entries_) {
    float* const average = writable_floats(entry.average);
    const float* const weight = entry.trained.variable->data();
    const std::size_t size = entry.average->value().size();
    for (std::size_t i = 0; i < size; ++i) {
      average[i] = momentum * average[i] + (1 - momentum) * weight[i];
    }
  }
  if (!ema_overwrite_frequency_ || (step + 1) % *ema_overwrite_frequency_ != 0) return;
  for (const Entry& entry : entries_) take_average(entry);
}

void Optimizer::take_average(const Entry& entry) {
  std::copy_n(entry.average->data(), entry.average->value().size(),
              writable_floats(entry.trained.variable));
}

void Optimizer::constrain(std::span<const Pair> pairs) {
  for (const Pair& pair : pairs) {
    const Trained& trained = entries_[pair.entry].trained;
    if (trained.constraint == nullptr) continue;
    trained.constraint->apply(writable_floats(trained.variable), trained.variable->shape());
  }
}

void Optimizer::finalize_variable_values(std::span<const VariablePtr> variables) {
  if (!use_ema_) return;
  if (!built_) state_error("optimizer '", name_, "' has no averages yet; apply gradients first");
  for (const VariablePtr& variable : variables) {
    static_cast<void>(entries_[index_of(variable)].average->value());
    static_cast<void>(variable->writable());
  }
  for (const VariablePtr& variable : variables) take_average(entries_[index_of(variable)]);
}

}  // namespace maskflow
