// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {{"LayerNorm"}, {"RMSNorm"}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
