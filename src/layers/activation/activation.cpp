// SPDX-License-Identifier: MIT
#include "layers/activation/activation.hpp"

namespace maskflow {
namespace {

const RegisterLayer<ActivationLayer> registration{
    "Activation",
    "Applies an activation function. Passes the mask through; does not use it.",
    {.built_at_init = true, .in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
