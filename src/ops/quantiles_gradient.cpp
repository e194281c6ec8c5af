// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"Quantile"}, {"Percentile"}, {"Median"}, {"Nanquantile"}, {"Nanpercentile"}, {"Nanmedian"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
