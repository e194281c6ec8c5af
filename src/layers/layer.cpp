// SPDX-License-Identifier: MIT
#include "layers/layer.hpp"

#include <algorithm>
#include <utility>

namespace maskflow {
namespace {

// By id, which grows with every layer made.
struct LivingLayer {
  int id;
  Layer* layer;
};
std::vector<LivingLayer>& living_layers() {
  static std::vector<LivingLayer> layers;
  return layers;
}

std::vector<LivingLayer>::iterator find_living(int id) {
  return std::ranges::lower_bound(living_layers(), id, {}, &LivingLayer::id);
}

// Sets the context for the layers inside a call and puts it back afterwards.
class CallScope {
 public:
  CallScope(const std::string& name, std::optional<bool> training, bool trace_ops)
      : context_(Context::current()),
        outer_training_(context_.training),
        outer_trace_ops_(std::exchange(context_.trace_ops, trace_ops)) {
    context_.path.push_back(name);
    if (training) context_.training = training;
  }
  ~CallScope() {
    context_.path.pop_back();
    context_.training = outer_training_;
    context_.trace_ops = outer_trace_ops_;
  }
  CallScope(const CallScope&) = delete;
  CallScope& operator=(const CallScope&) = delete;

 private:
  Context& context_;
  std::optional<bool> outer_training_;
  bool outer_trace_ops_;
};

bool has_symbolic(const Args& args) {
  bool found = any_symbolic(args.inputs);
  for (const TensorArgument& argument : args.tensors)
    found = found || any_symbolic(argument.values);
  return found;
}

std::vector<Shape> shapes_of(const Tensors& tensors) {
  std::vector<Shape> shapes;
  for (const Tensor& tensor : tensors) shapes.push_back(tensor.shape());
  return shapes;
}

}  // namespace

Layer::Layer() {
  static int next_id = 1;
  id_ = next_id++;
  living_layers().push_back({id_, this});
  const Context& context = Context::current();
  if (context.pin_mask_propagation) pinned_rule_ = context.mask_propagation;
}

Layer::~Layer() { living_layers().erase(find_living(id_)); }

LayerPtr find_layer(int id) {
  const auto found = find_living(id);
  if (found == living_layers().end() || found->id != id) {
    state_error("this layer was disposed of; make a new one");
  }
  return found->layer->shared_from_this();
}

Tensor Layer::operator()(const Tensor& input) {
  Args args;
  args.inputs = {input};
  return run(std::move(args)).front();
}

Tensors Layer::run(Args args) {
  ensure_name();
  try {
    check_arguments(args);
    const Masks attached = masks_of(args.inputs);
    const bool explicit_mask = args.mask.has_value();
    // Keras fills `mask` from the tensor only if that tensor is the sole tensor argument: an
    // initial_state is another, and then the attached mask is not used.
    const bool fills = !explicit_mask && takes_mask() && args.tensors.empty() && any_mask(attached);
    const Masks previous = explicit_mask ? *args.mask : attached;
    const CallScope scope(name_, args.training, as_model() != nullptr || kind() == "js");
    build_once(build_shapes(args));
    Args delivered = args;
    if (fills) delivered.mask = attached;
    if (has_symbolic(args)) {
      return attach_masks(args, record_call(args, delivered, fills), previous);
    }
    return call_traced(delivered, previous, explicit_mask);
  } catch (Error& error) {
    if (error.kind() != ErrorKind::kCallback) error.add_layer(name_);
    throw;
  }
}

void Layer::check_arguments(const Args& args) const {
  if (args.inputs.empty() && kind() != "js") value_error("a layer needs at least one input");
  for (const Tensor& input : args.inputs) {
    if (input.empty_handle()) value_error("an input is missing");
    if (input.rank() < min_rank()) {
      shape_error("expected an input of rank ", min_rank(), " or more, but got shape ",
                  input.shape(), " of rank ", input.rank());
    }
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

std::vector<Shape> Layer::build_shapes(const Args& args) const { return shapes_of(args.inputs); }

void Layer::build_once(const std::vector<Shape>& inputs) {
  if (built_) return;
  build(inputs);
  built_ = true;
}

Tensors Layer::record_call(const Args& given, const Args& delivered, bool filled) {
  // As Keras: the mask of a plain call f(x) becomes part of the graph; with further arguments it
  // does not, and is taken from the tensor when the model runs.
  const bool plain_call = given.tensors.empty() && given.options.entries().empty() &&
                          !given.training && given.inputs.size() == 1 && !given.list;
  return record(shared_from_this(), filled && plain_call ? delivered : given,
                output_specs(delivered));
}

Tensors Layer::call_traced(const Args& args, const Masks& previous, bool explicit_mask) {
  std::vector<TraceEvent>* const trace = Context::current().trace;
  if (trace == nullptr) return attach_masks(args, call(args), previous);
  const std::size_t place = trace->size();
  TraceEvent event;
  event.name = name_;
  for (const std::string& part : Context::current().path) {
    event.path += (event.path.empty() ? "" : "/") + part;
  }
  event.class_name = class_name_;
  event.is_layer = true;
  event.depth = static_cast<int>(Context::current().path.size()) - 2;
  event.explicit_mask = explicit_mask;
  event.supports_masking = supports_masking();
  event.takes_mask = takes_mask();
  event.mask_ignored = takes_mask() && !args.mask && any_mask(previous);
  event.in = previous;
  event.shapes_in = shapes_of(args.inputs);
  trace->push_back(event);
  Tensors outputs = attach_masks(args, call(args), previous);
  (*trace)[place].out = masks_of(outputs);
  (*trace)[place].shapes_out = shapes_of(outputs);
  return outputs;
}

Tensors Layer::attach_masks(const Args& args, Tensors outputs, const Masks& previous) {
  if (!supports_masking()) {
    if (any_mask(previous)) say_dropped();
    return outputs;
  }
  const bool all_masked =
      std::ranges::all_of(outputs, [](const Tensor& output) { return output.mask() != nullptr; });
  if (all_masked) return outputs;
  const Masks masks = compute_mask(args.inputs, previous);
  for (std::size_t i = 0; i < outputs.size() && i < masks.size(); ++i) {
    if (masks[i] && !outputs[i].mask()) outputs[i] = outputs[i].with_mask(masks[i]);
  }
  return outputs;
}

void Layer::say_dropped() const {
  const Context& context = Context::current();
  if (context.on_mask_dropped == OnMaskDropped::kSilent) return;
  const std::string message = text(
      "layer '", name_, "' (", class_name_,
      ") does not support masking: the mask that reached it is dropped, and what follows computes "
      "padding as data");
  if (context.on_mask_dropped == OnMaskDropped::kError) {
    value_error(message, "; remove the mask first with withMask(null) if that is meant");
  }
  if (context.warn) context.warn(message);
}

std::vector<TensorSpec> Layer::output_specs(const Args& args) {
  return {args.inputs.front().spec()};
}

bool Layer::passes_masks_on() const {
  const MaskPropagation rule = pinned_rule_.value_or(Context::current().mask_propagation);
  return supports_masking_ && rule == MaskPropagation::kKeras315;
}

Masks Layer::compute_mask(const Tensors&, const Masks& masks) { return masks; }

void Layer::describe(Fields& fields) {
  if (fields.is_reading() || !name_.empty()) fields.field("name", name_, "");
  fields.field("trainable", trainable_, "");
  fields.field("dtype", dtype_, "");
  fields.ignored({"batch_input_shape", "batch_shape", "input_dtype"});
}

void Layer::read_config(const Dict& config) {
  Fields fields = Fields::reading(config);
  describe(fields);
  fields.reject_unknown(class_name_);
  check_config();
}

Dict Layer::get_config() {
  ensure_name();
  Dict config;
  Fields fields = Fields::writing(config);
  describe(fields);
  return config;
}

void Layer::ensure_name() {
  if (!name_.empty()) return;
  static Dict counts;
  const std::string base = default_name();
  Value& next = counts[base];
  const std::int64_t count = next.is_null() ? 0 : next.as_integer(base);
  next = count + 1;
  name_ = count == 0 ? base : text(base, "_", count);
}

std::string Layer::default_name() const { return snake_case(class_name_); }

void Layer::reset_state() {
  for (const LayerPtr& layer : sublayers()) layer->reset_state();
}

VariablePtr Layer::add_weight(std::string name, const Shape& shape, const Initializer& initializer,
                              bool trainable, DType dtype) {
  if (!shape.known()) {
    shape_error("weight '", name, "' would have shape ", shape,
                "; the last dimension of the input must be known");
  }
  weights_.push_back(
      std::make_shared<Variable>(std::move(name), shape, initializer, trainable, dtype));
  return weights_.back();
}

std::vector<Layer::Weight> Layer::weights() const {
  std::vector<Weight> result;
  for (const VariablePtr& variable : weights_) {
    result.push_back(
        {text(name_, "/", variable->name()), variable, trainable_ && variable->trainable()});
  }
  for (const LayerPtr& layer : sublayers()) {
    layer->ensure_name();
    for (Weight& weight : layer->weights()) {
      // A layer used at several places counts once.
      if (std::ranges::any_of(result,
                              [&](const Weight& w) { return w.variable == weight.variable; })) {
        continue;
      }
      weight.path = name_ + "/" + weight.path;
      weight.trainable = weight.trainable && trainable_;
      result.push_back(std::move(weight));
    }
  }
  return result;
}

void Layer::set_weights(const Tensors& values) {
  const std::vector<Weight> all = weights();
  if (values.size() != all.size()) {
    std::string expected;
    for (const Weight& weight : all) {
      expected += text(expected.empty() ? "" : ", ", weight.path, " ", weight.variable->shape());
    }
    value_error(class_name_, " '", name_, "' has ", all.size(), " weights but was given ",
                values.size(), all.empty() && !built_ ? "; build it first" : "; it expects ",
                expected);
  }
  // All shapes first: a wrong one must leave every weight as it was.
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (values[i].shape() != all[i].variable->shape()) {
      shape_error("weight '", all[i].path, "' has shape ", all[i].variable->shape(),
                  " but was given ", values[i].shape());
    }
  }
  for (std::size_t i = 0; i < values.size(); ++i) all[i].variable->set_value(values[i]);
}

}  // namespace maskflow
