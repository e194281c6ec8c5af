// SPDX-License-Identifier: MIT
#include "layer/layer.hpp"

#include <algorithm>
#include <utility>

#include "base/depth.hpp"
#include "layer/distinct_rows.hpp"
#include "layer/holders.hpp"

namespace maskflow {
namespace {

bool has_symbolic(const Args& args) {
  bool symbolic = any_symbolic(args.inputs);
  for (const TensorArgument& argument : args.tensors)
    symbolic = symbolic || any_symbolic(argument.values);
  for (std::size_t i = 0; args.mask && i < args.mask->size(); ++i) {
    const MaskPtr& mask = (*args.mask)[i];
    symbolic = symbolic || (mask && mask->original().is_symbolic());
  }
  return symbolic;
}

}  // namespace

Structure Observer::call(Layer& layer, const Args& args, Frame& frame) {
  return layer.compute(args, frame);
}

Tensor Layer::operator()(const Tensor& input) {
  Args args;
  args.inputs = {input};
  return apply(std::move(args)).front();
}

Tensors Layer::apply(Args args) {
  Frame outermost;
  return run(std::move(args), outermost).tensors;
}

Structure Layer::run(Args args, Frame& outer) {
  const Depth depth(Depth::kLayer);
  ensure_name();
  try {
    check_arguments(args);
    const Masks attached = masks_of(args.inputs);
    const bool explicit_mask = args.mask.has_value();
    // Keras fills in `mask` from a tensor only if that tensor is the sole tensor argument. Beside
    // an initial_state, for example, the attached mask is not used.
    const bool fills = !explicit_mask && takes_mask() && args.tensors.empty() && any_mask(attached);
    const Masks& previous = explicit_mask ? *args.mask : attached;
    outer.mask_inside = outer.mask_inside || any_mask(previous);
    if (args.training) outer.hand_on_training(*args.training);
    Frame frame(outer, name_, args.training);
    if (!built_) build_once(build_shapes(args));
    if (has_symbolic(args)) {
      Args delivered = args;
      if (fills) delivered.mask = attached;
      if (frame.inline_models && as_model() != nullptr) return call(delivered, frame);
      Structure symbols = record_call(args, delivered, fills);
      attach_masks(args, previous, frame, symbols.tensors);
      return symbols;
    }
    if (fills) args.mask = attached;
    const LayerCall event{*this, args, previous, explicit_mask};
    Observer* const observer = frame.observer;
    if (observer != nullptr) observer->layer_begins(event, frame);
    Structure result =
        observer == nullptr ? compute(args, frame) : observer->call(*this, args, frame);
    attach_masks(args, previous, frame, result.tensors);
    if (observer != nullptr) observer->layer_ends(event, result);
    return result;
  } catch (Error& error) {
    if (error.kind() != ErrorKind::kCallback) error.add_layer(name_);
    throw;
  }
}

bool Layer::can_reduce(const Args& args) const {
  // A list of one tensor is excluded, because the layer may return that tensor itself.
  return each_row_alone() && args.list == (args.inputs.size() > 1);
}

Structure Layer::compute(const Args& args, Frame& frame) {
  const std::optional<DistinctRows> distinct =
      can_reduce(args) ? distinct_rows(args.inputs) : std::nullopt;
  if (!distinct) return call(args, frame);
  Args reduced = args;
  reduced.inputs = distinct->inputs;
  Structure result = call(reduced, frame);
  for (Tensor& tensor : result.tensors) tensor = distinct->spread(tensor);
  return result;
}

void Layer::check_arguments(const Args& args) const {
  if (args.inputs.empty() && kind() != "js") value_error("a layer needs at least one input");
  if (args.inputs.size() > 1 && !takes_list()) {
    value_error(class_name_, " takes one tensor but was given ", args.inputs.size(),
                has_word(call_arguments(), "initial_state")
                    ? "; pass states by name: apply(x, { initialState: [h] })"
                    : "; join them first, or call it once for each");
  }
  for (const Tensor& input : args.inputs) {
    if (input.empty_handle()) value_error("an input is missing");
    check_shape(input.shape());
  }
  for (const TensorArgument& argument : args.tensors) check_argument(argument.name);
  for (const auto& [name, value] : args.options.entries()) {
    if (!value.is_null()) check_argument(name);
  }
  if (!args.mask) return;
  for (std::size_t i = 0; i < args.mask->size() && i < args.inputs.size(); ++i) {
    const MaskPtr& mask = (*args.mask)[i];
    if (mask && mask->shape().rank() > args.inputs[i].rank()) {
      shape_error("the mask has shape ", mask->shape(), " for an input of shape ",
                  args.inputs[i].shape(), "; a mask has one boolean per step: (batch, time)");
    }
  }
}

void Layer::check_argument(std::string_view name) const {
  const std::string_view known = call_arguments();
  constexpr std::string_view kCommon = "mask training ";
  if (known == "*" || has_word(known, name) || has_word(kCommon, name)) return;
  const std::vector<std::string> names = words(text(kCommon, known));
  value_error("a call of ", class_name_, " has no argument '", name, "'", suggestion(name, names),
              "; it has mask, training", known.empty() ? "" : " ", known);
}

void Layer::check_shape(const Shape& shape) const {
  const int exact = rank();
  const int required = exact == 0 ? min_rank() : exact;
  if (exact == 0 ? shape.rank() < required : shape.rank() != required) {
    shape_error("expected an input of rank ", required, exact == 0 ? " or more" : "",
                ", but got shape ", shape, " of rank ", shape.rank(),
                required == 3 && shape.rank() == 2
                    ? "; one sequence needs a batch axis, [x], and a recurrent layer before this "
                      "one returnSequences: true"
                    : "");
  }
  if (fixed_axis_ == 0) return;
  const Dim size = shape[fixed_axis_];
  if (size != fixed_size_ && size != kUnknown) {
    shape_error("the layer was built for ", fixed_size_, " features but the input ", shape, " has ",
                size);
  }
}

void Layer::adopt(const Layer& inner) {
  if (inner.height_ >= Depth::kMaxLayers) Depth::refuse();
  height_ = std::max(height_, inner.height_ + 1);
  add_holder(inner, *this);
}

std::vector<Shape> Layer::build_shapes(const Args& args) const { return shapes_of(args.inputs); }

void Layer::build_once(const std::vector<Shape>& inputs) {
  if (built_) return;
  for (const Shape& input : inputs) check_shape(input);
  if (building_) state_error("its own build() calls it; build() must finish before any call");
  const std::size_t weights = weights_.size();
  building_ = true;
  try {
    build(inputs);
  } catch (...) {
    building_ = false;
    weights_.resize(weights);
    fixed_axis_ = 0;
    throw;
  }
  building_ = false;
  built_ = true;
  built_for_ = inputs;
  if (!freezes_when_built_) return;
  for (const LayerPtr& inner : layers_inside()) inner->assign_trainable(false);
  freezes_when_built_ = false;
}

Structure Layer::record_call(const Args& args, const Args& delivered, bool filled) {
  // As in Keras, the mask of a plain call f(x) of floats becomes part of the graph. With further
  // arguments it does not; the model then uses the mask that the tensor has when it runs. The mask
  // of a Functional model always becomes part of the graph.
  const bool plain_call = args.tensors.empty() && args.options.entries().empty() &&
                          !args.training && args.inputs.size() == 1 && !args.list &&
                          args.inputs.front().dtype() == DType::kFloat32;
  OutputSpecs specs = output_specs(delivered);
  Structure result;
  result.list = specs.list;
  result.keys = std::move(specs.keys);
  result.tensors =
      record(shared_from_this(),
             filled && (plain_call || kind() == "functional") ? delivered : args, std::move(specs));
  return result;
}

void Layer::attach_masks(const Args& args, const Masks& previous, const Frame& frame,
                         Tensors& outputs) {
  if (!supports_masking()) {
    if (any_mask(previous) && loses_mask(args, frame, outputs)) report_dropped_mask(frame);
    return;
  }
  const bool all_masked =
      std::ranges::all_of(outputs, [](const Tensor& output) { return output.mask() != nullptr; });
  if (all_masked) return;
  const Masks masks = compute_mask(args.inputs, previous);
  for (std::size_t i = 0; i < outputs.size() && i < masks.size(); ++i) {
    if (masks[i] && !outputs[i].mask()) outputs[i] = outputs[i].with_mask(masks[i]);
  }
}

bool Layer::loses_mask(const Args& args, const Frame& frame, const Tensors& outputs) const {
  // Layers inside, which a mask has reached, report for themselves. In a graph they have not run.
  const bool has_layers = kind() != "layer";
  if (has_layers && (frame.mask_inside || any_symbolic(outputs))) return false;
  const bool is_used = takes_mask() || frame.mask_inside;
  const int rank = args.inputs.front().rank();
  const bool has_result = std::ranges::any_of(outputs, [&](const Tensor& output) {
    return output.mask() != nullptr || (is_used && output.rank() < rank);
  });
  // Steps that a layer returns beside its states still need their mask.
  return !has_result || std::ranges::any_of(outputs, [&](const Tensor& output) {
    return is_used && output.mask() == nullptr && output.rank() >= rank;
  });
}

void Layer::report_dropped_mask(const Frame& frame) {
  const Policy& policy = Policy::current();
  if (frame.quiet || policy.on_mask_dropped == OnMaskDropped::kSilent) return;
  const std::string message = text(
      "layer '", name_, "' (", class_name_,
      ") does not support masking: the mask is dropped, so what follows computes padding as data "
      "until a mask is attached again; model.checkPadding(x) tells whether padding changes the "
      "answer");
  if (policy.on_mask_dropped == OnMaskDropped::kError) {
    value_error(message, "; remove the mask first with withMask(null) if that is meant");
  }
  const bool is_new = !std::exchange(has_warned_, true);
  const bool repeats = frame.observer != nullptr && frame.observer->repeats_warnings();
  if (!policy.warn || (!is_new && !repeats)) return;
  try {
    policy.warn(message);
  } catch (...) {
    // A Sequential that fails to record its graph runs its layers instead, which warn again.
    if (is_new) has_warned_ = false;
    throw;
  }
}

OutputSpecs Layer::output_specs(const Args& args) { return {args.inputs.front().spec()}; }

bool Layer::follows_316() const {
  return pinned_rule_.value_or(Policy::current().mask_propagation) == MaskPropagation::kKeras316;
}

bool Layer::passes_masks_on() const { return supports_masking_ && !follows_316(); }

Masks Layer::compute_mask(const Tensors&, const Masks& masks) { return masks; }

void Layer::reset_state() {
  const Depth depth(Depth::kLayer);
  for (const LayerPtr& layer : sublayers()) layer->reset_state();
}

}  // namespace maskflow
