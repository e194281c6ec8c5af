// SPDX-License-Identifier: MIT
#include "layers/core/dense.hpp"

namespace maskflow {
namespace {

const RegisterLayer<Dense> registration{
    "Dense",
    "activation(x kernel + bias) over the last axis. Passes the mask on; computes every step."};

}  // namespace
}  // namespace maskflow
