// SPDX-License-Identifier: MIT
#include "js_cell.hpp"

#include "base/scoped_value.hpp"
#include "kernels/copy.hpp"
#include "ops/ops.hpp"

namespace maskflow::bindings {
namespace {

Tensor rows_of(const float* from, std::size_t lanes, std::size_t width) {
  return Tensor::from<float>({static_cast<Dim>(lanes), static_cast<Dim>(width)},
                             {from, lanes * width});
}

}  // namespace

void JsCell::project(const kernels::Rows& inputs, std::size_t count, float* projected) {
  for (std::size_t row = 0; row < count; ++row) {
    kernels::copy(inputs[row], projected + row * features_, features_);
  }
}

void JsCell::begin(std::size_t lanes, Frame& frame) {
  if (stepping_) {
    state_error("cell '", layer_.name(),
                "' is called by code that one of its steps runs; use another cell there");
  }
  frame_ = &frame;
  output_.resize(lanes * output_size_);
}

const float* JsCell::step(float* projected, const StepLanes& alive,
                          std::span<float* const> states) {
  const std::size_t lanes = alive.count;
  Args args;
  args.inputs.push_back(rows_of(projected, lanes, features_));
  TensorArgument argument{"states", {}, true};
  for (std::size_t s = 0; s < states.size(); ++s) {
    argument.values.push_back(rows_of(states[s], lanes, state_sizes_[s]));
  }
  args.tensors.push_back(std::move(argument));
  const ScopedValue<bool> scope(stepping_, true);
  const Tensors results = layer_.run(std::move(args), *frame_).tensors;
  if (results.size() != states.size() + 1) {
    value_error("cell '", layer_.name(), "' returned ", results.size(), " tensors; with ",
                states.size(),
                " states it must return [output, [state, ...]]: ", states.size() + 1);
  }
  copy_result(results.front(), lanes, output_size_, output_.data());
  for (std::size_t s = 0; s < states.size(); ++s) {
    copy_result(results[s + 1], lanes, state_sizes_[s], states[s]);
  }
  return output_.data();
}

void JsCell::copy_result(const Tensor& result, std::size_t lanes, std::size_t width,
                         float* to) const {
  const Shape expected{static_cast<Dim>(lanes), static_cast<Dim>(width)};
  if (result.shape() != expected) {
    shape_error("cell '", layer_.name(), "' returned shape ", result.shape(), " instead of ",
                expected, ", (unmasked rows, size); check stateSize and outputSize");
  }
  const Tensor floats = ops::cast(result, DType::kFloat32);
  kernels::copy(floats.floats(), to, lanes * width);
}

}  // namespace maskflow::bindings
