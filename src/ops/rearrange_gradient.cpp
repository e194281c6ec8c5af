// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"Diff"}, {"Hstack"}, {"Vstack"}, {"Ravel"}, {"Select"}, {"Diagonal"}, {"Trace"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
