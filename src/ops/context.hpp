// SPDX-License-Identifier: MIT
// What holds for the call that is running: training or not, who listens to warnings and traces.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"
#include "base/value.hpp"
#include "tensor/mask.hpp"

namespace maskflow {

// Does the recurrent family pass masks on? Keras 3.15 does; its development version 3.16 does not.
enum class MaskPropagation : std::uint8_t { kKeras315, kKeras316 };
class Carry;
enum class OnMaskDropped : std::uint8_t { kWarn, kError, kSilent };

// One layer or op that ran while tracing.
struct TraceEvent {
  std::string name;
  std::string path;  // names of the enclosing layers and its own, joined by '/'
  std::string class_name;
  bool is_layer = false;
  int depth = 0;  // 0: called by the traced model itself
  bool explicit_mask = false;
  bool supports_masking = false;
  bool takes_mask = false;
  bool mask_ignored = false;  // a mask was attached, but the rules of the call did not deliver it
  bool mask_taken = false;    // an input had a mask that another layer has taken off
  bool for_mask = false;  // an op whose result is nothing but a mask of the graph, or part of it
  Masks in, out;
  std::vector<Shape> shapes_in, shapes_out;
  double milliseconds = 0;  // with all that it called, where the context has a clock
  double flops = 0;         // of matrix products, likewise
};

// What a layer with an activity regularizer gave, and the regularizer as it is configured.
struct Activity {
  Value regularizer;
  Tensors outputs;
};

// What holds for the calls that are running.
struct CallState {
  std::optional<bool> training;  // as the enclosing call was told; absent: inference
  std::vector<TraceEvent>* trace = nullptr;
  double (*clock)() = nullptr;  // milliseconds, for those who time what they trace
  // What the layer that is called next keeps from step to step of a stream; taken by it.
  Carry* carry = nullptr;
  // Do models leave no node of their own in a graph, but those of their layers?
  bool inline_models = false;
  std::vector<Activity>* activities = nullptr;  // where they are gathered, if they are
  // Are ops traced too? Those of a graph and of user code are; what layers and ops of the core are
  // written in is their own affair.
  bool trace_ops = true;
  bool for_mask = false;          // does what runs compute a mask of the graph?
  std::vector<std::string> path;  // names of the layers whose call is running
};

struct Context : CallState {
  MaskPropagation mask_propagation = MaskPropagation::kKeras315;
  // Layers made while this is set keep the rule of now, whatever is chosen later: those of a model
  // file that says which rule it was made for.
  bool pin_mask_propagation = false;
  OnMaskDropped on_mask_dropped = OnMaskDropped::kWarn;
  Random random{0x6d61736b};
  std::function<void(const std::string&)> warn;  // not set: nobody listens

  // Where layers and ops can be that this program lacks on purpose; ends the errors about unknown
  // ones.
  std::string absent_note;

  static Context& current();  // one per wasm instance (one per thread natively)
};

// A call of its own, whatever runs around it: user code inside a layer may run another model.
class FreshCall {
 public:
  FreshCall();
  ~FreshCall();
  FreshCall(const FreshCall&) = delete;
  FreshCall& operator=(const FreshCall&) = delete;

 private:
  CallState before_;
};

// While it lives, observers and warnings are off: shapes are inferred by running on stand-ins.
class Unheard {
 public:
  Unheard();
  ~Unheard();
  Unheard(const Unheard&) = delete;
  Unheard& operator=(const Unheard&) = delete;

 private:
  OnMaskDropped on_mask_dropped_;
  std::vector<TraceEvent>* trace_;
};

}  // namespace maskflow
