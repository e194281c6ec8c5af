// SPDX-License-Identifier: MIT
#include "ops/op_gradient.hpp"

namespace maskflow {
namespace {

constexpr OpGradient kGradients[] = {
    {"Append"}, {"Vsplit"}, {"Hsplit"},   {"Dsplit"}, {"ArraySplit"}, {"Dstack"}, {"Fliplr"},
    {"Flipud"}, {"Rot90"},  {"Meshgrid"}, {"Diag"},   {"Diagflat"},   {"Kron"},
};
const RegisterOpGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
