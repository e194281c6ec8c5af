// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"DepthwiseConv"},
    {"SeparableConv"},
    {"ConvTranspose"},
    {"BatchNorm"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
