// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

Tensor without_time(const Tensor& x) {
  Shape shape = x.shape();
  const Dim rows = shape[0] * shape[1];
  shape.erase(1);
  shape.set(0, rows);
  return x.reshaped(shape);
}

Shape with_time(Shape shape, Dim batch, Dim time) {
  shape.set(0, batch);
  shape.insert(1, time);
  return shape;
}

class TimeDistributed final : public Layer {
 public:
  TimeDistributed() { supports_masking_ = true; }

  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("layer", layer_, "The layer to apply to every step.", FieldKind::kRequired);
    fields.inert(inert_, {"activity_regularizer"});
  }
  void build(const std::vector<Shape>& inputs) override {
    Shape shape = inputs.front();
    shape.erase(1);
    layer_->ensure_name();
    layer_->build_once({shape});
  }

  Structure call(const Args& args, Frame& frame) override {
    const Tensor& x = args.inputs.front();
    const MaskPtr mask = args.mask && !args.mask->empty() ? args.mask->front() : nullptr;
    if (mask) check_mask(*mask, x.shape());
    Shape step = x.shape();
    step.erase(1);
    layer_->check_shape(step);
    const bool uses_mask = mask != nullptr && layer_->takes_mask();
    const MaskPtr inner = uses_mask ? mask : nullptr;
    return folds(uses_mask, frame) ? call_folded(args, inner, frame)
                                   : call_step_by_step(args, inner, frame);
  }

  OutputSpecs output_specs(const Args& args) override {
    const Shape& input = args.inputs.front().shape();
    Shape shape = input;
    shape.erase(1);
    Args inner;
    inner.inputs = {
        Tensor::symbolic({shape, args.inputs.front().dtype()}, args.inputs.front().origin())};
    OutputSpecs specs = layer_->output_specs(inner);
    for (TensorSpec& spec : specs) spec.shape = with_time(spec.shape, input[0], input[1]);
    return specs;
  }

  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return each_step_unless(layer_->stateful());
  }
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool supports_masking() const override { return passes_masks_on(); }
  [[nodiscard]] int min_rank() const override { return 3; }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override {
    return layer_ ? std::vector<LayerPtr>{layer_} : std::vector<LayerPtr>{};
  }

 private:
  static void check_mask(const Mask& mask, const Shape& input) {
    const Shape& shape = mask.shape();
    if (shape.rank() < 2 || shape[0] != input[0] || shape[1] != input[1]) {
      shape_error("the mask has shape ", shape,
                  " but must begin with the batch and time of the input, ", input);
    }
  }

  // Returns whether no layer inside, at any depth, treats the batch as a whole.
  [[nodiscard]] bool folds(bool masked, const Frame& frame) const {
    return layer_->folds_time(masked, frame) &&
           std::ranges::all_of(layer_->layers_inside(), [&](const LayerPtr& inner) {
             return inner->folds_time(false, frame);
           });
  }

  Args inner_args(const Args& args, Tensor x, const MaskPtr& mask) const {
    Args inner;
    inner.inputs = {std::move(x)};
    inner.training = args.training;
    if (mask) inner.mask = Masks{mask};
    return inner;
  }

  // Like Keras, calls `call` without the protocol around it. An observer may replace it.
  Structure call_inner(const Args& args, Frame& frame) const {
    return frame.observer == nullptr ? layer_->call(args, frame)
                                     : frame.observer->call(*layer_, args, frame);
  }

  // Computes all steps as one larger batch. The rows of the layer must not depend on each other.
  Structure call_folded(const Args& args, const MaskPtr& mask, Frame& frame) const {
    const Tensor& x = args.inputs.front();
    const MaskPtr inner_mask = mask ? make_mask(without_time(mask->values())) : nullptr;
    Structure results = call_inner(inner_args(args, without_time(x), inner_mask), frame);
    for (Tensor& result : results.tensors) {
      result = result.reshaped(with_time(result.shape(), x.shape()[0], x.shape()[1]));
    }
    return results;
  }

  // Like Keras, calls the layer on x[:, t] with mask[:, t] for each t.
  Structure call_step_by_step(const Args& args, const MaskPtr& mask, Frame& frame) const {
    const Tensor& x = args.inputs.front();
    if (x.shape()[1] == 0) value_error("the sequence has no steps: shape ", x.shape());
    Structure results;
    std::vector<Tensors> steps;
    for (Dim t = 0; t < x.shape()[1]; ++t) {
      const MaskPtr step_mask = mask ? make_mask(step_of(mask->values(), t)) : nullptr;
      results = call_inner(inner_args(args, step_of(x, t), step_mask), frame);
      const Tensors& outputs = results.tensors;
      steps.resize(outputs.size());
      for (std::size_t i = 0; i < outputs.size(); ++i) {
        steps[i].push_back(ops::expand_dims(outputs[i], 1));
      }
    }
    results.tensors.clear();
    for (const Tensors& parts : steps) results.tensors.push_back(ops::concatenate(parts, 1));
    return results;
  }

  static Tensor step_of(const Tensor& x, Dim t) {
    const Tensor slice = ops::slice_axis(x, 1, t, t + 1);
    Shape shape = slice.shape();
    shape.erase(1);
    return slice.reshaped(shape);
  }

  LayerPtr layer_;
};

const RegisterLayer<TimeDistributed> registration{
    "TimeDistributed",
    "Applies a layer to every step of [batch, time, ...]. Passes the mask through; a wrapped layer "
    "that uses masks receives mask[:, t].",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
