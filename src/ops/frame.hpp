// SPDX-License-Identifier: MIT
// Settings of one call and of the calls inside it. They are passed as an argument, so that running
// another model meanwhile does not affect them.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "ops/node.hpp"

namespace maskflow {

class LayerState;
class Layer;
class RunsTogether;

// A call of a layer, as an observer sees it.
struct LayerCall {
  const Layer& layer;
  const Args& args;    // The arguments, with the mask that the layer uses.
  const Masks& masks;  // Explicit or attached masks of the inputs.
  bool explicit_mask;  // Whether the caller passed the masks.
};

// Is notified of calls in a frame and in the frames inside it: a trace, a profile, or a collector
// of activities.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  // Calls end in the reverse order in which they begin. There is no end for a call that throws.
  virtual void layer_begins(const LayerCall& /*call*/, const Frame& /*frame*/) {}
  virtual void layer_ends(const LayerCall& /*call*/, const Structure& /*result*/) {}
  // Computes the result of a layer; a tape may compute it in another way.
  virtual Structure call(Layer& layer, const Args& args, Frame& frame);
  // Returns whether layers warn of dropped masks although they have done so before.
  [[nodiscard]] virtual bool repeats_warnings() const { return false; }
  // Notifies of ops of graphs and of user code; ops inside layers and ops of the core are not
  // reported.
  virtual void op_ends(std::string_view /*name*/, std::span<const Tensor> /*operands*/,
                       const Tensors& /*results*/, const Frame& /*frame*/) {}
};

class Frame {
 public:
  // The outermost frame: inference, without an observer.
  Frame() = default;
  // The frame of a call inside `outer`, of the layer with this name. `training_argument` is absent
  // if the caller did not set it.
  Frame(Frame& outer, std::string_view layer_name, std::optional<bool> training_argument)
      : training(training_argument ? training_argument : outer.training),
        observer(outer.observer),
        quiet(outer.quiet),
        inline_models(outer.inline_models),
        for_mask(outer.for_mask),
        state(std::exchange(outer.state, nullptr)),
        together(std::exchange(outer.together, nullptr)),
        outer_(&outer),
        name_(layer_name),
        depth_(outer.depth_ + 1) {}

  // Training mode, as this call or an enclosing one has set it; without a value, inference.
  std::optional<bool> training;
  Observer* observer = nullptr;
  // Whether there are no warnings about dropped masks, because only shapes are inferred.
  bool quiet = false;
  // Models add the nodes of their layers to a graph instead of one node of their own.
  bool inline_models = false;
  // Whether a graph runs in this frame by the rule until Keras 3.15: its `training` replaces that
  // which its nodes recorded.
  bool replaces_training = false;
  bool mask_inside = false;  // Whether a layer inside this call has received a mask.
  bool for_mask = false;  // Whether the call computes only a mask of the graph, or a part of one.
  // The state in a stream of the layer that is called next, which takes it.
  LayerState* state = nullptr;
  // Runs of cells that the layer called next may join. Its outputs then have their numbers only
  // after finish().
  RunsTogether* together = nullptr;

  // Sets the training mode of all calls that follow in the outermost call, as Keras does when the
  // caller of a layer sets `training`.
  void hand_on_training(bool value) {
    for (Frame* frame = this; frame->depth_ > 0 && !frame->replaces_training;
         frame = frame->outer_) {
      frame->training = value;
    }
  }

  [[nodiscard]] bool trains() const { return training.value_or(false); }
  // Number of nested calls of layers, including this one.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] const Frame* outer() const { return outer_; }
  [[nodiscard]] std::string_view name() const { return name_; }
  // Takes the state of this layer in a stream; null outside streams.
  [[nodiscard]] LayerState* take_state() { return std::exchange(state, nullptr); }

 private:
  Frame* outer_ = nullptr;
  std::string_view name_;
  int depth_ = 0;
};

// Returns a frame in which shapes are inferred.
[[nodiscard]] inline Frame quiet_frame() {
  Frame frame;
  frame.quiet = true;
  return frame;
}

}  // namespace maskflow
