// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {{"Sort"}, {"TopK"}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
