// SPDX-License-Identifier: MIT
// Settings of optimizers, and the variables that keep their state.
#include <algorithm>
#include <cmath>
#include <utility>

#include "training/optimizer.hpp"

namespace maskflow {
namespace {

Initializer constant(double value) {
  if (value == 0) return Initializer("zeros");
  Dict config;
  config["value"] = value;
  Dict serialized;
  serialized["class_name"] = "Constant";
  serialized["config"] = config;
  return Initializer::from_config(serialized);
}

// sequential/lstm/lstm_cell/kernel and momentum: sequential_lstm_lstm_cell_kernel_momentum
std::string slot_name(std::string path, std::string_view name) {
  std::ranges::replace(path, '/', '_');
  return text(path, "_", name);
}

}  // namespace

bool any_matches(const std::vector<std::string>& patterns, const std::string& text,
                 PatternSearch search) {
  return std::ranges::any_of(patterns,
                             [&](const std::string& pattern) { return search(pattern, text); });
}

void read_value(const Value& value, Name name, OptimizerPtr& out) {
  if (!value.is_dict() && !value.is_string()) {
    config_error("'", name, "' must be an optimizer or {class_name, config}, but is ", value);
  }
  out = std::static_pointer_cast<Optimizer>(
      deserialize_configurable(ConfigurableKind::kOptimizer, value));
}

Value write_value(const OptimizerPtr& optimizer) {
  return optimizer == nullptr ? Value() : optimizer->serialize();
}

void Optimizer::describe(Fields& fields) {
  fields.field("name", name_, "Name of the optimizer, with which the paths of its state begin.");
  if (rate_variable_ != nullptr) rate_.number = static_cast<double>(rate_variable_->data()[0]);
  fields.field("learning_rate", rate_, "A number or a schedule.");
  fields.field("weight_decay", weight_decay_,
               "Share of the weights, times the learning rate, that each step takes off them.");
  fields.field("clipnorm", clipnorm_, "The largest norm that the gradient of a variable may have.");
  fields.field("global_clipnorm", global_clipnorm_,
               "The largest norm that all gradients together may have.");
  fields.field("clipvalue", clipvalue_, "The largest number that a gradient may have.");
  fields.field("use_ema", use_ema_,
               "Keep moving averages of the weights, which they become when training ends?");
  fields.field("ema_momentum", ema_momentum_,
               "Share of the old average in the new one, from 0 to 1.");
  fields.field("ema_overwrite_frequency", ema_overwrite_frequency_,
               "Weights become their averages each time after so many steps.");
  fields.field("loss_scale_factor", loss_scale_factor_,
               "What the loss was multiplied by: gradients are divided by it.");
  fields.field("gradient_accumulation_steps", accumulation_steps_,
               "Update once in so many steps, at least 2, with the mean of their gradients.");
  // Of Keras 2.
  fields.ignored({"decay", "jit_compile", "is_legacy_optimizer"});
}

void Optimizer::check_config() const {
  if (accumulation_steps_ && *accumulation_steps_ < 2 && *accumulation_steps_ != 0) {
    config_error("'gradient_accumulation_steps' is ", *accumulation_steps_,
                 " but must be at least 2");
  }
  if (use_ema_ && !(ema_momentum_ >= 0 && ema_momentum_ <= 1)) {
    config_error("'ema_momentum' is ", ema_momentum_, " but must be from 0 to 1");
  }
  if (ema_overwrite_frequency_ && *ema_overwrite_frequency_ < 0) {
    config_error("'ema_overwrite_frequency' is ", *ema_overwrite_frequency_,
                 " but must be at least 1");
  }
  if (loss_scale_factor_) require_positive("loss_scale_factor", *loss_scale_factor_);
  if (int{clipnorm_.has_value()} + clipvalue_.has_value() + global_clipnorm_.has_value() > 1) {
    config_error("only one of 'clipnorm', 'clipvalue' and 'global_clipnorm' may be set");
  }
}

void Optimizer::read_config(const Dict& config) {
  name_ = snake_case(class_name());
  Configurable::read_config(config);
  // 0 is none, as in Keras.
  if (accumulation_steps_ == 0) accumulation_steps_.reset();
  if (ema_overwrite_frequency_ == 0) ema_overwrite_frequency_.reset();
  iteration_ = add_state("iteration", {}, DType::kInt32);
  if (rate_.schedule != nullptr) return;
  rate_variable_ = add_state("learning_rate", {}, DType::kFloat32, rate_.number);
}

VariablePtr Optimizer::add_state(std::string name, const Shape& shape, DType dtype, double value,
                                 bool in_scope) {
  std::string path = in_scope ? text(name_, "/", name) : name;
  auto made = std::make_shared<Variable>(std::move(name), shape, constant(value), false, dtype);
  // Numbers are there from the start; what is as large as a weight waits for the first step.
  if (shape.rank() == 0) static_cast<void>(made->value());
  state_.push_back({std::move(path), made});
  return made;
}

VariablePtr Optimizer::add_slot(Entry& entry, std::string_view name, double value) {
  const Trained& trained = entry.trained;
  return add_state(slot_name(trained.path, name), trained.variable->shape(), DType::kFloat32,
                   value);
}

void Optimizer::add_slots(std::initializer_list<const char*> names, double value) {
  for (Entry& entry : entries_) {
    for (const char* name : names) entry.slots.push_back(add_slot(entry, name, value));
  }
}

void Optimizer::build(std::vector<Trained> variables, PatternSearch search) {
  if (built_) {
    state_error("optimizer '", name_, "' was built for ", entries_.size(),
                " variables; make a new one for others");
  }
  std::map<const Variable*, std::size_t> index;
  for (const Trained& one : variables) {
    if (one.variable->dtype() != DType::kFloat32) {
      value_error("variable '", one.path, "' is ", one.variable->dtype(),
                  " but only float32 can be trained");
    }
    if (!index.emplace(one.variable.get(), index.size()).second) {
      value_error("variable '", one.path, "' is twice among the variables of optimizer '", name_,
                  "'");
    }
  }
  const std::size_t before = state_.size();
  try {
    index_ = std::move(index);
    for (Trained& one : variables) {
      Entry& entry = entries_.emplace_back();
      entry.decays = !any_matches(not_decaying_, one.variable->name(), search);
      entry.trained = std::move(one);
    }
    if (use_ema_) {
      for (Entry& entry : entries_) entry.average = add_slot(entry, "average");
    }
    if (accumulation_steps_) {
      for (Entry& entry : entries_) entry.accumulator = add_slot(entry, "gradient_accumulator");
    }
    make_slots(search);
  } catch (...) {
    state_.resize(before);
    entries_.clear();
    index_.clear();
    throw;
  }
  pairs_.reserve(entries_.size());
  built_ = true;
}

void Optimizer::exclude_from_weight_decay(std::vector<std::string> patterns) {
  if (built_) {
    state_error("optimizer '", name_,
                "' was built; call excludeFromWeightDecay before build or the first apply");
  }
  not_decaying_ = std::move(patterns);
}

std::optional<double> Optimizer::weight_decay_of(const Entry& /*entry*/) const {
  return weight_decay_;
}

std::int64_t Optimizer::steps() const { return iteration_->value().data<std::int32_t>()[0]; }

std::int32_t Optimizer::iterations() const {
  return static_cast<std::int32_t>(steps() / accumulation_steps_.value_or(1));
}

float Optimizer::learning_rate() const {
  if (rate_variable_ != nullptr) return rate_variable_->data()[0];
  return (*rate_.schedule)(static_cast<float>(steps()));
}

void Optimizer::set_learning_rate(LearningRate rate) {
  if (rate.schedule != nullptr) {
    std::erase_if(state_, [&](const StateVariable& one) { return one.variable == rate_variable_; });
    rate_variable_ = nullptr;
  } else if (rate_variable_ == nullptr) {
    state_error("the learning rate of '", name_,
                "' follows a schedule; make the optimizer with a number to be able to set it");
  } else {
    rate_variable_->set_value(Tensor::scalar(DType::kFloat32, rate.number));
  }
  rate_ = std::move(rate);
}

void Optimizer::set_weights(const Tensors& values) {
  const std::vector<StateVariable> all = variables();
  if (values.size() != all.size()) {
    value_error("optimizer '", name_, "' has ", all.size(), " variables but was given ",
                values.size(), built_ ? "" : "; build it first");
  }
  // All shapes first: a wrong one must leave every variable as it was.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].shape() == all[i].variable->shape()) continue;
    shape_error("variable '", all[i].path, "' has shape ", all[i].variable->shape(),
                " but was given ", values[i].shape());
  }
  for (std::size_t i = 0; i < values.size(); ++i) all[i].variable->set_value(values[i]);
}

float Optimizer::loss_scale() const { return static_cast<float>(loss_scale_factor_.value_or(1)); }

}  // namespace maskflow
