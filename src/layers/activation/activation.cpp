// SPDX-License-Identifier: MIT
#include "layers/activation/activation.hpp"

namespace maskflow {
namespace {

const RegisterLayer<ActivationLayer> registration{
    "Activation", "Applies an activation function. Passes the mask through; does not use it."};

}  // namespace
}  // namespace maskflow
