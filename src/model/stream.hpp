// SPDX-License-Identifier: MIT
// A model that runs step by step. The state of its layers is carried from call to call.
#pragma once

#include <memory>

#include "layers/recurrent/recurrent.hpp"
#include "model/model.hpp"
#include "rnn/stream_state.hpp"

namespace maskflow {

// The nodes of a model, with those of its inner models, and which of them keep state.
struct StreamPlan {
  // `inputs` are the shapes of the inputs, for a model that does not know them. Throws
  // UnsupportedError, which names the layer and the remedy, if a step of the outputs depends on
  // later steps.
  StreamPlan(Model& model, Dim batch, const std::vector<Shape>& inputs);

  // Returns whether axis 1 of a value is time, which is so if its size is unknown.
  [[nodiscard]] static bool timed(const Tensor& symbol) {
    return symbol.rank() >= 2 && symbol.shape()[1] == kUnknown;
  }

  Dim batch;
  std::optional<Graph> graph;
  std::optional<Execution> execution;
  Structure outputs;              // The outputs, with the structure of the model's outputs.
  bool replaces_training;         // As in a Frame.
  std::vector<char> keeps_state;  // Whether each node keeps state.
};

class Stream {
 public:
  explicit Stream(std::shared_ptr<const StreamPlan> plan);
  // Returns a stream with a copy of the current state.
  [[nodiscard]] std::shared_ptr<Stream> clone() const;

  [[nodiscard]] const Graph& graph() const { return *plan_->graph; }
  [[nodiscard]] const StreamPlan& plan() const { return *plan_; }
  [[nodiscard]] Dim batch() const { return plan_->batch; }
  // Runs the next steps: [batch, steps, ...] of each input with a time axis. The next call may
  // overwrite the results.
  const Tensors& step(const Tensors& inputs);
  // Returns to the first step.
  void reset();

  struct NamedState {
    std::string layer;
    StreamState* state;
  };
  // Returns the states of all layers that keep one, in running order.
  [[nodiscard]] std::vector<NamedState> states() const;
  // Sets the states of all layers. Throws before it changes any if one does not fit.
  void set(const std::vector<Tensors>& tensors);

 private:
  struct Part {
    std::shared_ptr<StreamState> state;
    // Set if the layer can run without the call protocol; else null.
    Recurrent* recurrent = nullptr;
    Layer* row_layer = nullptr;
    // Shape of the inputs of the row layer when it ran by the protocol last.
    Shape row_shape;
  };
  // Checks the shapes and returns the number of steps.
  [[nodiscard]] Dim check(const Tensors& inputs) const;
  void reserve(Dim steps);
  bool run_directly(std::size_t index, Frame& frame);
  bool write_rows(const Part& part, const Execution::Step& step);
  // Notes the shapes with which a row layer has run by the call protocol.
  void note_rows(Part& part, const Execution::Step& step);
  void settle();

  std::shared_ptr<const StreamPlan> plan_;
  std::vector<Part> parts_;
  Execution::Values values_;
  Tensors outputs_;
};

}  // namespace maskflow
