// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <span>
#include <string>
#include <vector>

#include "base/function_ref.hpp"
#include "training/schedule.hpp"
#include "training/trained.hpp"

namespace maskflow {

// The gradient of a variable. It has a type of its own, so that a gradient may later be a few rows
// of a table.
struct VariableGradient {
  Tensor dense;  // A tensor of the variable's shape; an empty handle if there is no gradient.

  [[nodiscard]] bool is_empty() const { return dense.empty_handle(); }
};

// Returns true if the regular expression matches somewhere in the text. The caller passes an engine
// for regular expressions; one in the core would be a tenth of the module.
using PatternSearch = FunctionRef<bool(const std::string& pattern, const std::string& text)>;
// The search without such an engine: true if the text contains the pattern literally.
inline constexpr auto contains = [](const std::string& pattern, const std::string& text) {
  return text.find(pattern) != std::string::npos;
};
[[nodiscard]] bool any_matches(const std::vector<std::string>& patterns, const std::string& text,
                               PatternSearch search);

// The update of one variable, as `Optimizer::update` receives it. Weights are multiplied by `decay`
// first. The gradient is multiplied by `scale`, then clipped to [-limit, limit].
struct Step {
  const Shape& shape;
  std::size_t size;
  float* weights;
  const float* gradient;
  float scale;
  float limit;
  float decay;
  float learning_rate;
  float count;  // Number of this step, from 1.
  std::span<float* const> slots;
};

// Keras's base optimizer: the order of operations inside `apply`, and the state in variables with
// Keras's names. A derived class creates its slots (state of a variable's shape) in `make_slots`
// and updates one variable in `update`.
class Optimizer : public Configurable {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  void read_config(const Dict& config) override;

  // Creates the state. Can be called once: the optimizer then belongs to these variables.
  void build(std::vector<Trained> variables, PatternSearch search = contains);
  [[nodiscard]] bool built() const { return built_; }
  // Makes one step. Skips variables without a gradient; all must be among those of `build`. If it
  // throws, nothing has changed.
  void apply(std::span<const VariableGradient> gradients, std::span<const VariablePtr> variables);
  // Ends training: sets weights to their averages if the optimizer keeps averages.
  virtual void finalize_variable_values(std::span<const VariablePtr> variables);
  // Excludes weights from decay whose name matches one of these regular expressions. Throws
  // StateError after `build`.
  virtual void exclude_from_weight_decay(std::vector<std::string> patterns);

  // Returns the learning rate of the next step.
  [[nodiscard]] virtual float learning_rate() const;
  virtual void set_learning_rate(LearningRate rate);
  // Returns the schedule; null if the learning rate is a number.
  [[nodiscard]] virtual const Schedule* schedule() const { return rate_.schedule.get(); }
  // Returns the number of updates so far; steps that only accumulated gradients do not count.
  [[nodiscard]] virtual std::int32_t iterations() const;
  // Returns the number of steps so far, which is the argument of a schedule. A step that a
  // LossScaleOptimizer skipped does not count.
  [[nodiscard]] virtual std::int64_t steps() const;
  // Returns the factor of the loss whose gradients `apply` expects.
  [[nodiscard]] virtual float loss_scale() const;

  struct StateVariable {
    std::string path;
    VariablePtr variable;
  };
  // Returns all state in Keras's order.
  [[nodiscard]] virtual std::vector<StateVariable> variables() const { return state_; }
  // Sets the values of all `variables()`.
  void set_weights(const Tensors& values);
  [[nodiscard]] const std::string& name() const { return name_; }

 protected:
  explicit Optimizer(double learning_rate = 0.001) { rate_.number = learning_rate; }

  // A trained variable with its state.
  struct Entry {
    Trained trained;
    bool decays = true;
    VariablePtr average;
    VariablePtr accumulator;
    std::vector<VariablePtr> slots;
  };
  // Index of an entry in `entries_`, with its gradient in one call of `apply`.
  struct Pair {
    std::size_t entry;
    const Tensor* gradient;
  };

  // Adds the slots of all entries.
  virtual void make_slots(PatternSearch /*search*/) {}
  // Changes weights and slots of one variable.
  virtual void update(const Step& step) = 0;
  // Called once per update, before the variables. `count` is that of Step.
  virtual void begin_update(float /*count*/) {}
  // Makes a step with checked gradients, which it divides by `divisor`.
  virtual void apply_checked(std::span<const Pair> pairs, float divisor);
  [[nodiscard]] virtual std::optional<double> weight_decay_of(const Entry& entry) const;

  // Adds slots with these names to each entry in turn, of its variable's shape.
  void add_slots(std::initializer_list<const char*> names, double value = 0);
  VariablePtr add_slot(Entry& entry, std::string_view name, double value = 0);
  VariablePtr add_state(std::string name, const Shape& shape, DType dtype, double value = 0,
                        bool in_scope = true);
  [[nodiscard]] std::vector<Entry>& entries() { return entries_; }

  std::optional<double> weight_decay_;

 private:
  friend class LossScaleOptimizer;
  [[nodiscard]] std::size_t index_of(const VariablePtr& variable) const;
  void check_pairs(std::span<const VariableGradient> gradients,
                   std::span<const VariablePtr> variables);
  void prepare(std::span<const Pair> pairs, bool updates);
  void accumulate(std::span<const Pair> pairs, float scale);
  void update_all(std::span<const Pair> pairs, float scale);
  void update_one(const Pair& pair, float scale, float rate, float count);
  [[nodiscard]] float global_scale(std::span<const Pair> pairs, float scale) const;
  [[nodiscard]] const float* gradient_of(const Pair& pair) const;
  void average_weights();
  static void take_average(const Entry& entry);
  void constrain(std::span<const Pair> pairs);

  std::string name_;
  LearningRate rate_;
  std::optional<double> clipnorm_, global_clipnorm_, clipvalue_;
  bool use_ema_ = false;
  double ema_momentum_ = 0.99;
  std::optional<int> ema_overwrite_frequency_;
  std::optional<double> loss_scale_factor_;
  std::optional<int> accumulation_steps_;
  std::vector<std::string> not_decaying_;

  bool built_ = false;
  VariablePtr iteration_;
  VariablePtr rate_variable_;  // The variable of the rate; null if there is a schedule.
  std::vector<StateVariable> state_;
  std::vector<Entry> entries_;
  std::map<const Variable*, std::size_t> index_;
  // Kept between calls, so that a step allocates nothing.
  std::vector<Pair> pairs_;
  std::vector<float*> slots_;
};
using OptimizerPtr = std::shared_ptr<Optimizer>;

void read_value(const Value& value, Name name, OptimizerPtr& out);
[[nodiscard]] Value write_value(const OptimizerPtr& optimizer);
[[nodiscard]] inline std::string type_name(const OptimizerPtr&) { return "OptimizerLike"; }

template <class T>
struct RegisterOptimizer : RegisterConfigurable<T> {
  RegisterOptimizer(const char* name, Doc doc)
      : RegisterConfigurable<T>(ConfigurableKind::kOptimizer, name, doc) {}
};

}  // namespace maskflow
