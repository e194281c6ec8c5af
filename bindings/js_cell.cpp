// SPDX-License-Identifier: MIT
#include "js_layer.hpp"
#include "kernels/copy.hpp"
#include "layers/core/input_layer.hpp"
#include "ops/ops.hpp"

namespace maskflow::bindings {
namespace {

Tensor rows_of(const float* from, std::size_t lanes, std::size_t width) {
  return Tensor::from<float>({static_cast<Dim>(lanes), static_cast<Dim>(width)},
                             {from, lanes * width});
}

}  // namespace

std::string JsCell::cell_name() const { return layer_.name(); }

std::vector<std::size_t> JsCell::state_sizes() const {
  std::vector<std::size_t> sizes;
  for (const Shape& shape : state_shapes_) sizes.push_back(shape.elements());
  return sizes;
}

Tensors JsCell::initial_states(Dim batch, Frame& frame) {
  Tensors states = own_initial_states(layer_, batch, frame);
  for (std::size_t s = 0; s < states.size(); ++s) {
    // As in Keras, the axes of the first state count.
    state_shapes_[s] = states[s].shape().from(1);
    states[s] = ops::cast(states[s], DType::kFloat32).reshaped({batch, state_shapes_[s].size()});
  }
  return states;
}

void JsCell::build_inside() {
  const auto rows = [](Shape shape) {
    return input_symbol({with_rows(shape, kUnknown), DType::kFloat32});
  };
  Args args;
  args.inputs.push_back(rows({static_cast<Dim>(features_)}));
  TensorArgument states{"states", {}, true};
  for (const Shape& shape : state_shapes_) states.values.push_back(rows(shape));
  args.tensors.push_back(std::move(states));
  layer_.build_inside(args);
}

void JsCell::project(const kernels::Rows& inputs, std::size_t count, float* projected) {
  for (std::size_t row = 0; row < count; ++row) {
    kernels::copy(inputs[row], projected + row * features_, features_);
  }
}

void JsCell::begin(std::size_t lanes, Frame& frame) {
  frame_ = &frame;
  output_.resize(lanes * output_size_);
}

const float* JsCell::step(float* projected, const StepLanes& alive,
                          std::span<float* const> states) {
  const std::size_t lanes = alive.count;
  Tensors flat;
  for (std::size_t s = 0; s < states.size(); ++s) {
    flat.push_back(rows_of(states[s], lanes, state_shapes_[s].elements()));
  }
  const Tensors results = layer_step(rows_of(projected, lanes, features_), flat, *frame_);
  kernels::copy(results.front().floats(), output_.data(), results.front().size());
  for (std::size_t s = 0; s < states.size(); ++s) {
    kernels::copy(results[s + 1].floats(), states[s], results[s + 1].size());
  }
  return output_.data();
}

Tensors JsCell::layer_step(const Tensor& x, const Tensors& states, Frame& frame) {
  const Dim lanes = x.shape()[0];
  Args args;
  args.inputs.push_back(x);
  TensorArgument argument{"states", {}, true};
  for (std::size_t s = 0; s < states.size(); ++s) {
    argument.values.push_back(states[s].reshaped(with_rows(state_shapes_[s], lanes)));
  }
  args.tensors.push_back(std::move(argument));
  Tensors results = layer_.run(std::move(args), frame).tensors;
  if (results.size() != states.size() + 1) {
    value_error("cell '", layer_.name(), "' returned ", results.size(), " tensors; with ",
                states.size(),
                " states it must return [output, [state, ...]]: ", states.size() + 1);
  }
  for (std::size_t i = 0; i < results.size(); ++i) {
    results[i] = flat_result(results[i], lanes, i == 0 ? output_shape_ : state_shapes_[i - 1]);
  }
  return results;
}

Tensor JsCell::flat_result(const Tensor& result, Dim lanes, const Shape& shape) const {
  const Shape expected = with_rows(shape, lanes);
  if (result.shape() != expected) {
    shape_error("cell '", layer_.name(), "' returned shape ", result.shape(), " instead of ",
                expected, ", (unmasked rows, size); check stateSize and outputSize");
  }
  return ops::cast(result, DType::kFloat32).reshaped({lanes, shape.size()});
}

}  // namespace maskflow::bindings
