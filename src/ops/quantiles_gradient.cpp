// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {{"Quantile"}, {"Percentile"}, {"Median"}};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
