// SPDX-License-Identifier: MIT
// A model that runs step by step: what its layers have to remember is carried from call to call.
#pragma once

#include <memory>

#include "layers/recurrent/recurrent.hpp"
#include "model/model.hpp"
#include "rnn/stream_state.hpp"

namespace maskflow {

// The layers of a model, those of models inside it included, and which of them keep something.
struct StreamPlan {
  // `inputs`: shapes, for a model that does not know its inputs. UnsupportedError, naming the layer
  // and what to do instead, unless each step of the outputs is made of the steps until then.
  StreamPlan(Model& model, Dim batch, const std::vector<Shape>& inputs);

  // Axis 1 of a value is time where its size is unknown.
  [[nodiscard]] static bool timed(const Tensor& symbol) {
    return symbol.rank() >= 2 && symbol.shape()[1] == kUnknown;
  }

  Dim batch;
  std::optional<Graph> graph;
  std::optional<Execution> execution;
  Structure outputs;              // as the model groups them
  std::vector<char> keeps_state;  // by node
};

class Stream {
 public:
  explicit Stream(std::shared_ptr<const StreamPlan> plan);
  // With a state of its own, which is the same now.
  [[nodiscard]] std::shared_ptr<Stream> clone() const;

  [[nodiscard]] const Graph& graph() const { return *plan_->graph; }
  [[nodiscard]] const StreamPlan& plan() const { return *plan_; }
  [[nodiscard]] Dim batch() const { return plan_->batch; }
  // Runs the next steps: [batch, steps, ...] of each input that has time. What is returned may be
  // written to by the next call.
  const Tensors& step(const Tensors& inputs);
  // Back to the beginning.
  void reset();

  struct Kept {
    std::string layer;
    StreamState* state;
  };
  [[nodiscard]] std::vector<Kept> kept() const;
  // What the layers keep, in their order; an error for what does not fit, before anything is set.
  void set(const std::vector<Tensors>& states);

 private:
  struct Part {
    std::shared_ptr<StreamState> state;
    Recurrent* recurrent = nullptr;  // if it can run without the protocol of calls
  };
  // How many steps they are.
  [[nodiscard]] Dim check(const Tensors& inputs) const;
  void reserve(Dim steps);
  bool run_directly(std::size_t index, Frame& frame);
  void settle();

  std::shared_ptr<const StreamPlan> plan_;
  std::vector<Part> parts_;
  Execution::Values values_;
  Tensors outputs_;
};

}  // namespace maskflow
