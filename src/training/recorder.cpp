// SPDX-License-Identifier: MIT
#include "training/recorder.hpp"

#include <algorithm>

#include "layer/layer_gradient.hpp"
#include "training/recorded_rows.hpp"

namespace maskflow {
namespace {

bool is_composed(std::string_view class_name) {
  const LayerClass* const layer = find_layer_class(class_name);
  return layer != nullptr && layer->facts.composed;
}

// Returns true if an input or a weight of the layer is tracked.
bool is_tracked(const Tape& tape, const Layer& layer, const Args& args) {
  if (tape.tracks_any(args.inputs)) return true;
  const auto tracks = [&](const TensorArgument& argument) {
    return tape.tracks_any(argument.values);
  };
  if (std::ranges::any_of(args.tensors, tracks)) return true;
  const std::vector<Layer::Weight> weights = layer.weights();
  return std::ranges::any_of(weights, [&](const Layer::Weight& weight) {
    return weight.variable->dtype() == DType::kFloat32 && tape.tracks(weight.variable->value());
  });
}

}  // namespace

Structure Recorder::call(Layer& layer, const Args& args, Frame& frame) {
  const std::optional<DistinctRows> distinct =
      layer.can_reduce(args) ? distinct_rows(tape_, args.inputs) : std::nullopt;
  if (!distinct) return record(layer, args, frame);
  Args reduced = args;
  reduced.inputs = distinct->inputs;
  Structure result = record(layer, reduced, frame);
  for (Tensor& tensor : result.tensors) {
    tensor = tape_.select_rows(tensor, distinct->rows, distinct->spread_shape(tensor));
  }
  return result;
}

Structure Recorder::record(Layer& layer, const Args& args, Frame& frame) {
  const std::string name = layer.class_name();
  if (layer.kind() != "layer" || is_composed(name) || !is_tracked(tape_, layer, args)) {
    return layer.call(args, frame);
  }
  const LayerGradient* const gradient = find_layer_gradient(name);
  if (gradient == nullptr) {
    unsupported_error(name, " has no derivative; leave it out of the differentiated function");
  }
  return gradient->rule(layer, args, frame, tape_);
}

}  // namespace maskflow
