// SPDX-License-Identifier: MIT
#include "layers/activation/activation.hpp"

#include "ops/integer_clip.hpp"

namespace maskflow {
namespace {

const RegisterLayer<ActivationLayer> registration{
    "Activation",
    "Applies an activation function. Passes the mask through; does not use it.",
    {.built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace

DType ActivationLayer::result_dtype(DType input) const {
  if (activation_.is_custom()) return DType::kFloat32;
  if (activation_.name() == "linear") return input;
  const bool keeps = input == DType::kInt32 &&
                     integer_clip(activation_.name(), activation_.parameters()).has_value();
  return keeps ? DType::kInt32 : DType::kFloat32;
}

}  // namespace maskflow
