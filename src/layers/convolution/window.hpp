// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "layer/data_format.hpp"
#include "layer/layer.hpp"

namespace maskflow {

// ConfigError unless a setting of one axis has one number, at least 1.
void check_window(std::string_view name, const std::vector<int>& sizes);

// How the kernel moves: Keras's settings of the same names.
struct Window {
  // `paddings`: those of the layer.
  void describe(Fields& fields, std::string_view paddings, Doc padding_doc);
  // ConfigError for what cannot be.
  void check() const;

  [[nodiscard]] bool channels_first() const { return data_format.channels_first; }
  [[nodiscard]] std::size_t taps() const { return static_cast<std::size_t>(kernel_size[0]); }
  [[nodiscard]] Dim stride() const { return strides[0]; }
  [[nodiscard]] Dim dilation() const { return dilation_rate[0]; }
  // Steps from the first to the last that one output sees.
  [[nodiscard]] Dim span() const { return dilation() * (kernel_size[0] - 1) + 1; }
  // ShapeError when it is none.
  [[nodiscard]] Dim output_steps(Dim time) const;
  // Of an input with its padding.
  [[nodiscard]] Dim padded_steps(Dim time) const;
  // Steps of the padding before an input.
  [[nodiscard]] Dim padded_before(Dim time) const;
  // With zeros before and after that axis, so that every tap reads a step that is there.
  [[nodiscard]] Tensor padded(const Tensor& x, int axis) const;
  // The row of the first step of each output: `sequences` of `time` rows each, in the order of
  // `index` when there is one.
  [[nodiscard]] std::vector<std::int32_t> starts(std::size_t sequences, Dim time, Dim steps,
                                                 const std::int32_t* index = nullptr) const;

  std::vector<int> kernel_size{1}, strides{1}, dilation_rate{1};
  std::string padding = "valid";
  DataFormat data_format;
};

}  // namespace maskflow
