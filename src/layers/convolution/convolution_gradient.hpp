// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer_gradient.hpp"
#include "layers/convolution/convolution.hpp"

namespace maskflow {

// A recorded call of a convolution, channels last.
struct RecordedConvolution {
  ConvolutionLayer& layer;
  const Tensor& x;
  const Tensors& kernels;
  bool needs_x;  // Whether to compute the gradient of x.
};

// Returns the gradients of x (an empty handle unless needed) and of the kernels, from the cotangent
// of the result of convolve().
using ConvolutionGradient = Tensors (*)(const RecordedConvolution& call, const Tensor& g);

// Computes and records the call of a layer, with its bias, its activation and its data format.
Structure record_convolution(ConvolutionLayer& layer, const Args& args, Frame& frame, Tape& tape,
                             ConvolutionGradient gradient);

}  // namespace maskflow
