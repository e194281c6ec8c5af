// SPDX-License-Identifier: MIT
// Layers whose `call` is written in ops and in calls of other layers: they need no rule.
#include "layer/layer_gradient.hpp"

namespace maskflow {
namespace {

constexpr LayerGradient kComposed[] = {
    // Merging.
    {"Add"},
    {"Average"},
    {"Concatenate"},
    {"Dot"},
    {"Maximum"},
    {"Minimum"},
    {"Multiply"},
    {"Subtract"},
    // Reshaping.
    {"Cropping1D"},
    {"Flatten"},
    {"Permute"},
    {"RepeatVector"},
    {"Reshape"},
    {"UpSampling1D"},
    {"ZeroPadding1D"},
    // Normalization.
    {"BatchNormalization"},
    {"GroupNormalization"},
    {"Normalization"},
    {"Rescaling"},
    {"UnitNormalization"},
    // Activation.
    {"ELU"},
    {"LeakyReLU"},
    {"PReLU"},
    {"ReLU"},
    {"Softmax"},
    {"ThresholdedReLU"},
    // Regularization; the identity but for training.
    {"ActivityRegularization"},
    {"AlphaDropout"},
    {"Dropout"},
    {"GaussianDropout"},
    {"GaussianNoise"},
    {"Identity"},
    {"InputLayer"},
    {"SpatialDropout1D"},
    // Preprocessing.
    {"CategoryEncoding"},
    {"Discretization"},
    // Around other layers.
    {"Bidirectional"},
    {"TimeDistributed"},
};
const RegisterLayerGradients registration{kComposed};

}  // namespace
}  // namespace maskflow
