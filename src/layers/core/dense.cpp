// SPDX-License-Identifier: MIT
#include "layers/core/dense.hpp"

namespace maskflow {
namespace {

const RegisterLayer<Dense> registration{
    "Dense",
    "activation(x * kernel + bias), a matrix product over the last axis. Passes the mask through; "
    "masked steps are computed, too.",
    {.in_recurrent_module = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
