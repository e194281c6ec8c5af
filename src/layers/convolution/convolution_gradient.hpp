// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer_gradient.hpp"
#include "layers/convolution/convolution.hpp"

namespace maskflow {

// A convolution as it was recorded, channels last.
struct RecordedConvolution {
  ConvolutionLayer& layer;
  const Tensor& x;
  const Tensors& kernels;
  bool needs_x;  // is the gradient of x asked for?
};

// From the cotangent of what convolve() gives, channels last, to those of x (no handle where it is
// not asked for) and of the kernels.
using ConvolutionBack = Tensors (*)(const RecordedConvolution& call, const Tensor& g);

// The call of a layer, recorded; bias, activation and the place of the channels are seen to.
Structure record_convolution(ConvolutionLayer& layer, const Args& args, Frame& frame, Tape& tape,
                             ConvolutionBack back);

}  // namespace maskflow
