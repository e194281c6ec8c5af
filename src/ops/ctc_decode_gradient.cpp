// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {{"CTCDecode"}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
