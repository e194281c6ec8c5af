// SPDX-License-Identifier: MIT
#include "layers/activation/activation.hpp"

namespace maskflow {
namespace {

const RegisterLayer<ActivationLayer> registration{
    "Activation", "Applies an activation function. Passes the mask on; the values ignore it."};

}  // namespace
}  // namespace maskflow
