// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"Ptp"},       {"Moments"}, {"Trapezoid"}, {"Vander"},
    {"Correlate"}, {"Cross"},   {"Corrcoef"},  {"CDist"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
