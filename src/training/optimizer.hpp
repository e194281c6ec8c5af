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

// The gradient of a variable. (A type of its own, so that rows of a table can be one.)
struct VariableGradient {
  Tensor dense;  // of the variable's shape; without a handle: there is none

  [[nodiscard]] bool none() const { return dense.empty_handle(); }
};

// Does the regular expression match somewhere in the text? Whoever has an engine for them says so:
// one of our own would be a tenth of the module.
using PatternSearch = FunctionRef<bool(const std::string& pattern, const std::string& text)>;
// Without one: does the text contain the pattern?
inline constexpr auto contains = [](const std::string& pattern, const std::string& text) {
  return text.find(pattern) != std::string::npos;
};
[[nodiscard]] bool any_matches(const std::vector<std::string>& patterns, const std::string& text,
                               PatternSearch search);

// One variable's part of a step: what `Optimizer::update` is given.
struct Step {
  const Shape& shape;
  std::size_t size;
  float* weights;
  const float* gradient;  // times `scale`, then cut at -limit and limit
  float scale;
  float limit;
  float decay;  // weights are multiplied by it first
  float learning_rate;
  float count;  // of the steps, with this one
  std::span<float* const> slots;
};

// Keras's base optimizer: the order inside `apply`, and the state in variables with Keras's names.
// An optimizer says what slots it has and how one variable is updated.
class Optimizer : public Configurable {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  void read_config(const Dict& config) override;

  // Makes the state. Once: afterwards the optimizer belongs to these variables.
  void build(std::vector<Trained> variables, PatternSearch search = contains);
  [[nodiscard]] bool built() const { return built_; }
  // One step. Variables without gradient are left out; all must be among those it was built for.
  // What fails changes nothing.
  void apply(std::span<const VariableGradient> gradients, std::span<const VariablePtr> variables);
  // Ends training: weights take their averages, if the optimizer keeps averages.
  virtual void finalize_variable_values(std::span<const VariablePtr> variables);
  // Weights whose name matches one of these regular expressions do not decay. Before `build`.
  virtual void exclude_from_weight_decay(std::vector<std::string> patterns);

  // Of the next step.
  [[nodiscard]] virtual float learning_rate() const;
  virtual void set_learning_rate(LearningRate rate);
  // Null where the learning rate is a number.
  [[nodiscard]] virtual const Schedule* schedule() const { return rate_.schedule.get(); }
  // Steps that were made, those that only gathered gradients not counted.
  [[nodiscard]] virtual std::int32_t iterations() const;
  // All calls of `apply` that were heard: what a schedule is asked with.
  [[nodiscard]] virtual std::int64_t steps() const;
  // What a loss must be multiplied by before its gradients are taken.
  [[nodiscard]] virtual float loss_scale() const;

  struct StateVariable {
    std::string path;
    VariablePtr variable;
  };
  // In Keras's order.
  [[nodiscard]] virtual std::vector<StateVariable> variables() const { return state_; }
  // Values of all of these.
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
  // A variable with its gradient, in one call.
  struct Pair {
    std::size_t entry;
    const Tensor* gradient;
  };

  // Adds slots to all entries.
  virtual void make_slots(PatternSearch /*search*/) {}
  // Changes weights and slots of one variable.
  virtual void update(const Step& step) = 0;
  // Before the variables are updated.
  virtual void begin_update(float /*count*/) {}
  // Gradients that were checked; each is to be divided by `divisor`.
  virtual void apply_checked(std::span<const Pair> pairs, float divisor);
  [[nodiscard]] virtual std::optional<double> weight_decay_of(const Entry& entry) const;

  // Slots of the names for each variable in turn, of its shape.
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
  VariablePtr rate_variable_;  // null with a schedule
  std::vector<StateVariable> state_;
  std::vector<Entry> entries_;
  std::map<const Variable*, std::size_t> index_;
  // Kept from call to call, so that a step asks for no memory.
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
