// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {{"DotProductAttention"}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
