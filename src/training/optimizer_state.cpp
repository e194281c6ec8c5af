// SPDX-License-Identifier: MIT
// Settings of optimizers, and the variables of their state.
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

// Returns the name of a slot: slot_name("sequential/lstm/kernel", "momentum") is
// "sequential_lstm_kernel_momentum".
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
  fields.field("name", name_, "Name of the optimizer; the paths of its state start with it.");
  if (rate_variable_ != nullptr) rate_.number = static_cast<double>(rate_variable_->data()[0]);
  fields.field("learning_rate", rate_, "Learning rate: a number or a schedule.");
  fields.field("weight_decay", weight_decay_,
               "Each step subtracts this number times the learning rate times the weights from the "
               "weights; null: no decay.");
  fields.field("clipnorm", clipnorm_,
               "Upper bound of the norm of each variable's gradient, which is scaled down to it; "
               "null: none. At most one of the three clip settings may be set.");
  fields.field("global_clipnorm", global_clipnorm_,
               "Upper bound of the norm of all gradients together; null: none.");
  fields.field("clipvalue", clipvalue_,
               "Upper bound of the absolute value of each element of a gradient; null: none.");
  fields.field("use_ema", use_ema_,
               "Whether to keep moving averages of the weights. The weights are set to them when "
               "training ends.");
  fields.field("ema_momentum", ema_momentum_,
               "Share of the previous average in the new one, from 0 to 1.");
  fields.field("ema_overwrite_frequency", ema_overwrite_frequency_,
               "Number of steps after which weights are set to their averages, each time; null: "
               "only when training ends.");
  fields.field("loss_scale_factor", loss_scale_factor_,
               "Factor by which the loss is multiplied, and gradients are divided; null: 1.");
  fields.field("gradient_accumulation_steps", accumulation_steps_,
               "Number of steps, at least 2, after which weights are updated with the mean of the "
               "steps' gradients; null: each step updates.");
  // Keras 2 wrote these settings.
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
  // As in Keras, 0 means null.
  if (accumulation_steps_ == 0) accumulation_steps_.reset();
  if (ema_overwrite_frequency_ == 0) ema_overwrite_frequency_.reset();
  iteration_ = add_state("iteration", {}, DType::kInt32);
  if (rate_.schedule != nullptr) return;
  rate_variable_ = add_state("learning_rate", {}, DType::kFloat32, rate_.number);
}

VariablePtr Optimizer::add_state(std::string name, const Shape& shape, DType dtype, double value,
                                 bool in_scope) {
  std::string path = in_scope ? text(name_, "/", name) : name;
  auto variable = std::make_shared<Variable>(std::move(name), shape, constant(value), false, dtype);
  // Allocates scalars now; the first step allocates state of a weight's size.
  if (shape.rank() == 0) static_cast<void>(variable->value());
  state_.push_back({std::move(path), variable});
  return variable;
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
                " variables; make a new optimizer for others");
  }
  std::map<const Variable*, std::size_t> index;
  for (const Trained& trained : variables) {
    if (trained.variable->dtype() != DType::kFloat32) {
      value_error("variable '", trained.path, "' is ", trained.variable->dtype(),
                  " but only float32 can be trained");
    }
    if (!index.emplace(trained.variable.get(), index.size()).second) {
      value_error("variable '", trained.path, "' occurs twice in the variables of optimizer '",
                  name_, "'");
    }
  }
  const std::size_t before = state_.size();
  try {
    index_ = std::move(index);
    for (Trained& trained : variables) {
      Entry& entry = entries_.emplace_back();
      entry.decays = !any_matches(not_decaying_, trained.variable->name(), search);
      entry.trained = std::move(trained);
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
    std::erase_if(state_,
                  [&](const StateVariable& state) { return state.variable == rate_variable_; });
    rate_variable_ = nullptr;
  } else if (rate_variable_ == nullptr) {
    state_error("the learning rate of '", name_,
                "' follows a schedule; to set it, make the optimizer with a number");
  } else {
    rate_variable_->set_value(Tensor::scalar(DType::kFloat32, rate.number));
  }
  rate_ = std::move(rate);
}

void Optimizer::set_weights(const Tensors& values) {
  const std::vector<StateVariable> all = variables();
  if (values.size() != all.size()) {
    value_error("optimizer '", name_, "' has ", all.size(), " variables but got ", values.size(),
                " values", built_ ? "" : "; build it first");
  }
  // Shapes are checked before the first change.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].shape() == all[i].variable->shape()) continue;
    shape_error("variable '", all[i].path, "' has shape ", all[i].variable->shape(),
                " but its value has shape ", values[i].shape());
  }
  for (std::size_t i = 0; i < values.size(); ++i) all[i].variable->set_value(values[i]);
}

float Optimizer::loss_scale() const { return static_cast<float>(loss_scale_factor_.value_or(1)); }

}  // namespace maskflow
