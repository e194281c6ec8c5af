// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

class Concatenate final : public Layer {
 public:
  Concatenate() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("axis", axis_, "Axis along which the tensors are joined.");
  }

  [[nodiscard]] bool takes_list() const override { return true; }
  [[nodiscard]] Streaming streaming(const Shape& input) const override {
    return each_step_unless(normalize_axis(axis_, input.rank()) == 1);
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    check(args);
    return {ops::concatenate(args.inputs, axis_)};
  }
  OutputSpecs output_specs(const Args& args) override {
    check(args);
    TensorSpec spec = args.inputs.front().spec();
    const int axis = normalize_axis(axis_, spec.shape.rank());
    Dim total = 0;
    for (const Tensor& input : args.inputs) {
      const Dim size = input.shape()[axis];
      total = size == kUnknown || total == kUnknown ? kUnknown : total + size;
      spec.dtype = std::max(spec.dtype, input.dtype());
      for (int i = 0; i < spec.shape.rank(); ++i) {
        if (spec.shape[i] == kUnknown) spec.shape.set(i, input.shape()[i]);
      }
    }
    spec.shape.set(axis, total);
    return {spec};
  }

  // Joins the masks element by element, where an input without a mask keeps all elements. A step of
  // the result is kept when one of its elements is. Uses the same ops as Keras, because graphs
  // record them.
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override {
    if (!any_mask(masks)) return {};
    const int rank = inputs.front().rank();
    const MaskPtr& first = masks.front();
    if (normalize_axis(axis_, rank) == rank - 1 && first && !first->values().is_symbolic() &&
        first->shape() == inputs.front().shape().first(rank - 1) &&
        std::ranges::count(masks, first) == std::ssize(masks)) {
      return {first};  // The mask of a single input keeps its compiled plan.
    }
    Tensors parts;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
      const MaskPtr mask = i < masks.size() ? masks[i] : nullptr;
      if (mask == nullptr) {
        parts.push_back(ops::ones_like(inputs[i], DType::kBool));
      } else if (mask->shape().rank() < inputs[i].rank()) {
        const Tensor expanded = ops::expand_dims(mask->values(), -1);
        const Tensor zeros = ops::zeros_like(inputs[i], DType::kBool);
        parts.push_back(ops::logical_or(expanded, zeros));
      } else {
        parts.push_back(mask->values());
      }
    }
    return {make_mask(ops::any(ops::concatenate(parts, axis_), -1))};
  }

 private:
  void check(const Args& args) const {
    if (!args.list || !args.keys.empty())
      value_error(
          "Concatenate needs a list of tensors; nested arrays count as one tensor, so call "
          "tensor() on each");
    Shape first = args.inputs.front().shape();
    const int axis = normalize_axis(axis_, first.rank());
    for (const Tensor& input : args.inputs) {
      Shape shape = input.shape();
      bool fits = shape.rank() == first.rank();
      for (int i = 0; fits && i < shape.rank(); ++i) {
        fits = i == axis || shape[i] == first[i] || shape[i] == kUnknown || first[i] == kUnknown;
        if (first[i] == kUnknown) first.set(i, shape[i]);
      }
      if (!fits) {
        shape_error("cannot join ", first, " and ", shape, " along axis ", axis,
                    "; all other dimensions must be equal");
      }
    }
  }
  int axis_ = -1;
};

const RegisterLayer<Concatenate> registration{
    "Concatenate",
    "Joins a list of tensors along an axis. Along time, their masks are joined, too; along "
    "features, a step is kept when one input keeps it. An input without a mask keeps all its "
    "steps.",
    {.composed = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
