// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <vector>

#include "model/graph.hpp"
#include "ops/frame.hpp"

namespace maskflow {

// A graph compiled once: its nodes in the order in which they run, where each of their arguments
// comes from, and which values are dropped after each. What is computed is passed: one Execution
// serves calls inside calls.
class Execution {
 public:
  explicit Execution(const Graph& graph);

  // A place for each result of each node.
  using Slot = std::uint32_t;
  using Values = std::vector<Tensor>;

  // A node.
  struct Step {
    std::shared_ptr<const Node> node;
    Slot first = 0;             // of its results
    std::vector<Slot> sources;  // of the symbols among its arguments, masks last
    std::vector<Slot> dead;     // whose last use this is
    std::size_t masks = 0;      // how many of them are
    bool is_input = false;      // its results are given
    bool inputs_alone = false;  // no other arguments, masks, options or constants
    bool is_model = false;
    bool for_mask = false;  // an op of whose result only masks are made
    [[nodiscard]] std::size_t results() const { return node->outputs.size(); }
  };

  // Computes the outputs; a value is dropped after its last use. Symbolic inputs give symbolic
  // outputs.
  [[nodiscard]] Tensors run(const Tensors& inputs, Frame& frame) const;
  // The specs of the outputs for inputs of these specs. Records nothing.
  [[nodiscard]] std::vector<TensorSpec> specs(const Tensors& inputs) const;

  // For callers that keep the values: `run` piece by piece.
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
  std::vector<std::pair<const Node*, Slot>> first_slots_;  // sorted by node
  std::size_t slots_ = 0;
  bool has_models_ = false;
};

}  // namespace maskflow
