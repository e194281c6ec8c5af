// SPDX-License-Identifier: MIT
#include "layers/convolution/convolution.hpp"

#include "ops/ops.hpp"

namespace maskflow {

void ConvolutionLayer::describe_result(Fields& fields) {
  fields.field("activation", activation_, "Activation of the result.");
  fields.field("use_bias", use_bias_, "Whether to add a bias.");
  fields.field("bias_initializer", bias_initializer_,
               "Initial value of the bias, one number per channel of the output.");
  fields.inert(inert_, {"bias_regularizer", "activity_regularizer", "bias_constraint"});
}

void ConvolutionLayer::build(const std::vector<Shape>& inputs) {
  const Shape& input = inputs.front();
  if (input.rank() != 3) shape_error("expected an input of rank 3, but got shape ", input);
  const int axis = window_.channels_first() ? 1 : 2;
  channels_ = input[axis];
  if (channels_ == kUnknown) {
    shape_error("the input has shape ", input, " but its channels must be known");
  }
  fix_size(axis, channels_);
  build_kernels(channels_);
  if (use_bias_) bias_ = add_weight("bias", {output_channels()}, bias_initializer_);
}

Structure ConvolutionLayer::call(const Args& args, Frame& frame) {
  const Tensor x = swapped(ops::cast(args.inputs.front(), DType::kFloat32));
  // As in Keras, the activation sees the last axis, even if that is time.
  Tensor output = swapped(convolve(x, output_steps(x.shape()[1]), frame));
  if (activation_.is_custom()) return {activation_(output)};
  const std::size_t width = at(output.shape().back());
  if (width > 0) {
    activation_.apply(output.mutable_floats(), output.size() / width, width);
  }
  return {output};
}

OutputSpecs ConvolutionLayer::output_specs(const Args& args) {
  const Shape& input = args.inputs.front().shape();
  const bool channels_first = window_.channels_first();
  const Dim steps = output_steps(input[channels_first ? 2 : 1]);
  return {{channels_first ? Shape{input[0], output_channels(), steps}
                          : Shape{input[0], steps, output_channels()},
           DType::kFloat32}};
}

Tensor ConvolutionLayer::swapped(const Tensor& x) const {
  return window_.channels_first() ? ops::transpose(x, {0, 2, 1}) : x;
}

}  // namespace maskflow
