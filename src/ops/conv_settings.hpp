// SPDX-License-Identifier: MIT
// Settings that ops of convolution and pooling over time share.
#pragma once

#include "ops/op.hpp"

namespace maskflow {

inline constexpr OpAttribute kStrides = {"strides", "number | [number]",
                                         "Number of steps between outputs.", false, 1};
inline constexpr OpAttribute kPadding = {"padding", "'valid' | 'same'",
                                         "'same': as many outputs as steps, divided by the stride.",
                                         false, "valid"};
inline constexpr OpAttribute kFormat = {"data_format",
                                        "'channels_last' | 'channels_first' | null",
                                        "Whether features are the last axis or the second.",
                                        false,
                                        {}};
inline constexpr OpAttribute kDilation = {"dilation_rate", "number | [number]",
                                          "Number of steps between elements of the kernel.", false,
                                          1};
inline constexpr OpAttribute kConvSettings[] = {kStrides, kPadding, kFormat, kDilation};

}  // namespace maskflow
