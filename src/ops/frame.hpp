// SPDX-License-Identifier: MIT
// What holds for one call and for the calls that it makes. It is passed, so that code which runs
// another model meanwhile disturbs nothing.
#pragma once

#include <optional>
#include <string_view>
#include <utility>

#include "ops/node.hpp"

namespace maskflow {

class LayerState;
class Layer;

// A call of a layer, as its observer is told.
struct LayerCall {
  const Layer& layer;
  const Args& args;    // as they are delivered: with the mask that the layer takes
  const Masks& masks;  // given or attached
  bool explicit_mask;  // the caller gave them
};

// Is told of what runs in a frame and in the frames inside it: a trace, a profile, a gatherer of
// activities.
class Observer {
 public:
  Observer() = default;
  virtual ~Observer() = default;
  Observer(const Observer&) = delete;
  Observer& operator=(const Observer&) = delete;
  // Calls end in the reverse order of their beginnings; one that fails does not end.
  virtual void layer_begins(const LayerCall& /*call*/, const Frame& /*frame*/) {}
  virtual void layer_ends(const LayerCall& /*call*/, const Structure& /*result*/) {}
  // Computes a layer's result: a tape may know another way to it.
  virtual Structure call(Layer& layer, const Args& args, Frame& frame);
  // Ops of a graph and of user code. What layers and ops of the core are written in is not told.
  virtual void op_ends(std::string_view /*name*/, std::span<const Tensor> /*operands*/,
                       const Tensors& /*results*/, const Frame& /*frame*/) {}
};

class Frame {
 public:
  // The outermost: inference, no observer.
  Frame() = default;
  // That of a call inside `outer`, of the layer with this name.
  Frame(Frame& outer, std::string_view layer_name, std::optional<bool> told)
      : training(told ? told : outer.training),
        observer(outer.observer),
        quiet(outer.quiet),
        inline_models(outer.inline_models),
        for_mask(outer.for_mask),
        state(std::exchange(outer.state, nullptr)),
        outer_(&outer),
        name_(layer_name),
        depth_(outer.depth_ + 1) {}

  std::optional<bool> training;  // as this call or one around it was told; absent: inference
  Observer* observer = nullptr;
  bool quiet = false;  // masks are dropped without a word: shapes are inferred
  bool inline_models =
      false;              // models leave no node of their own in a graph, but those of their layers
  bool for_mask = false;  // what runs makes nothing but a mask of the graph, or part of it
  // What the layer that is called next keeps from step to step of a stream; taken by it.
  LayerState* state = nullptr;

  [[nodiscard]] bool trains() const { return training.value_or(false); }
  // Calls of layers that this one is inside of, its own included.
  [[nodiscard]] int depth() const { return depth_; }
  [[nodiscard]] const Frame* outer() const { return outer_; }
  [[nodiscard]] std::string_view name() const { return name_; }
  // What the layer of this frame keeps, for it alone; null outside streams.
  [[nodiscard]] LayerState* take_state() { return std::exchange(state, nullptr); }

 private:
  const Frame* outer_ = nullptr;
  std::string_view name_;
  int depth_ = 0;
};

// A frame in which shapes are inferred.
[[nodiscard]] inline Frame quiet_frame() {
  Frame frame;
  frame.quiet = true;
  return frame;
}

}  // namespace maskflow
