// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "training/optimizer.hpp"

namespace maskflow {

// Multiplies the loss by a number that grows as long as gradients are finite. Another optimizer
// makes the steps.
class LossScaleOptimizer final : public Optimizer {
 public:
  LossScaleOptimizer() : Optimizer(0) {}
  void describe(Fields& fields) override {
    fields.field("name", name_, "Name of the optimizer.");
    fields.field("inner_optimizer", inner_, "The optimizer that makes the steps.",
                 FieldKind::kRequired);
    fields.field("initial_scale", initial_scale_, "Factor of the loss at the first step; above 0.");
    fields.field("dynamic_growth_steps", growth_steps_,
                 "Number of successive steps with finite gradients after which the factor doubles. "
                 "A step whose gradients are not finite changes no weight and halves the factor.");
    if (fields.is_reading()) read_old_settings(fields);
  }
  void check_config() const override {
    require_positive("initial_scale", initial_scale_);
    require_positive("dynamic_growth_steps", growth_steps_);
  }
  void read_config(const Dict& config) override {
    Optimizer::read_config(config);
    // The inner optimizer must not divide the gradients again.
    inner_->loss_scale_factor_.reset();
  }
  [[nodiscard]] float learning_rate() const override { return inner_->learning_rate(); }
  void set_learning_rate(LearningRate rate) override { inner_->set_learning_rate(std::move(rate)); }
  [[nodiscard]] const Schedule* schedule() const override { return inner_->schedule(); }
  [[nodiscard]] std::int32_t iterations() const override { return inner_->iterations(); }
  [[nodiscard]] std::int64_t steps() const override { return inner_->steps(); }
  void finalize_variable_values(std::span<const VariablePtr> variables) override {
    inner_->finalize_variable_values(variables);
  }
  void exclude_from_weight_decay(std::vector<std::string> patterns) override {
    inner_->exclude_from_weight_decay(std::move(patterns));
  }
  [[nodiscard]] float loss_scale() const override {
    return scale_ == nullptr ? static_cast<float>(initial_scale_) : scale_->data()[0];
  }
  [[nodiscard]] std::vector<StateVariable> variables() const override {
    std::vector<StateVariable> all = Optimizer::variables();
    for (StateVariable& state : inner_->variables()) all.push_back(std::move(state));
    return all;
  }

 private:
  // Older versions of Keras saved these settings, which had no effect.
  static void read_old_settings(Fields& fields) {
    constexpr const char* kNull[] = {"weight_decay",           "clipnorm",
                                     "global_clipnorm",        "clipvalue",
                                     "loss_scale_factor",      "gradient_accumulation_steps",
                                     "ema_overwrite_frequency"};
    for (const char* name : kNull) {
      if (fields.has(name)) {
        config_error("a LossScaleOptimizer has no '", name, "'; set it on the inner optimizer");
      }
      fields.ignored({name});
    }
    fields.ignored({"dynamic", "learning_rate", "use_ema", "ema_momentum"});
    if (fields.has("dynamic") && !fields.value("dynamic").as_bool("dynamic")) {
      config_error("'dynamic' is false; set 'loss_scale_factor' on the inner optimizer instead");
    }
    if (fields.has("use_ema") && fields.value("use_ema").as_bool("use_ema")) {
      config_error("a LossScaleOptimizer has no 'use_ema'; set it on the inner optimizer");
    }
  }

  void make_slots(PatternSearch search) override {
    counter_ = add_state("step_counter", {}, DType::kInt32);
    scale_ = add_state("dynamic_scale", {}, DType::kFloat32, initial_scale_);
    std::vector<Trained> variables;
    for (const Entry& entry : entries()) variables.push_back(entry.trained);
    inner_->build(std::move(variables), search);
  }
  void update(const Step& /*step*/) override {}

  static bool is_finite(const Pair& pair) {
    return std::ranges::all_of(pair.gradient->data<float>(),
                               [](float x) { return std::isfinite(x); });
  }
  void apply_checked(std::span<const Pair> pairs, float divisor) override {
    std::int32_t& counter = counter_->writable().mutable_data<std::int32_t>()[0];
    float& scale = scale_->writable().mutable_data<float>()[0];
    if (!std::ranges::all_of(pairs, is_finite)) {
      counter = 0;
      scale *= 0.5F;
      return;
    }
    inner_->apply_checked(pairs, divisor * scale);
    if (counter == growth_steps_ - 1) {
      counter = 0;
      scale *= 2;
    } else {
      ++counter;
    }
  }

  OptimizerPtr inner_;
  double initial_scale_ = 32768;
  int growth_steps_ = 2000;
  VariablePtr counter_, scale_;
};

namespace {

const RegisterOptimizer<LossScaleOptimizer> registration{
    "LossScaleOptimizer",
    "Scales the loss as far as gradients stay finite, so that small gradients do not vanish; "
    "another optimizer makes the steps."};

}  // namespace
}  // namespace maskflow
