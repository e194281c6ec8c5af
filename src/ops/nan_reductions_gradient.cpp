// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"Nansum"}, {"Nanprod"}, {"Nanmean"},   {"Nanvar"},     {"Nanstd"},
    {"Nanmax"}, {"Nanmin"},  {"Nancumsum"}, {"Nancumprod"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
