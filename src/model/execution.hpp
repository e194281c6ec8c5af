// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.hpp"
#include "ops/frame.hpp"

namespace maskflow {

// A compiled graph: its nodes in running order, the source of each argument, and the values that
// are dropped after each node. The values are passed to each method, so one Execution serves nested
// calls.
class Execution {
 public:
  explicit Execution(const Graph& graph);

  // Index of a value: each result of each node has a slot.
  using Slot = std::uint32_t;
  using Values = std::vector<Tensor>;

  // One call of a node.
  struct Step {
    std::shared_ptr<const Node> node;
    Slot first = 0;             // Slot of its first result.
    std::vector<Slot> sources;  // Slots of the symbols among its arguments, masks last.
    std::vector<Slot> dead;     // Slots whose last use is this step.
    std::size_t masks = 0;      // Number of masks among the sources.
    bool is_input = false;      // Whether its results are inputs of the graph.
    bool inputs_only = false;   // Whether it has no further arguments, masks, options or constants.
    bool is_model = false;
    bool for_mask = false;  // Whether it is an op whose result is used for masks only.
    [[nodiscard]] std::size_t results() const { return node->outputs.size(); }
  };

  // Computes the outputs and drops each value after its last use. Outputs of symbolic inputs are
  // symbolic.
  [[nodiscard]] Tensors run(const Tensors& inputs, Frame& frame) const;
  // Computes the specs of the outputs from those of the inputs, without recording nodes.
  [[nodiscard]] std::vector<TensorSpec> specs(const Tensors& inputs) const;

  // The parts of `run`, for callers that keep the values between steps.
  [[nodiscard]] const std::vector<Step>& steps() const { return steps_; }
  void put_inputs(const Tensors& inputs, Values& values) const;
  [[nodiscard]] Tensors outputs_of(const Values& values) const;
  void run_step(const Step& step, Values& values, Frame& frame) const;

 private:
  [[nodiscard]] Slot slot_of(const Tensor& symbol) const;
  void compile_steps(const Graph& graph);
  void find_last_uses();
  void find_mask_steps();
  [[nodiscard]] static Args arguments(const Step& step, const Values& values);
  void await_mask(Tensor& value) const;

  std::vector<Step> steps_;
  std::vector<Slot> inputs_;
  std::vector<Slot> outputs_;
  // The first slot of each node, sorted by node.
  std::vector<std::pair<const Node*, Slot>> first_slots_;
  std::size_t slots_ = 0;
  bool has_models_ = false;
};

}  // namespace maskflow
