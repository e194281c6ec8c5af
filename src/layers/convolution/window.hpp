// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "layer/data_format.hpp"
#include "layer/layer.hpp"

namespace maskflow {

// Throws ConfigError unless `sizes` is one number, at least 1.
void check_window(std::string_view name, const std::vector<int>& sizes);

// Keras's settings of how a kernel moves over time.
struct Window {
  // Describes the settings. `paddings` lists the values of "padding" that the layer accepts.
  void describe(Fields& fields, std::string_view paddings, Doc padding_doc);
  // Throws ConfigError for impossible settings.
  void check() const;

  [[nodiscard]] bool channels_first() const { return data_format.channels_first; }
  [[nodiscard]] std::size_t taps() const { return at(kernel_size[0]); }
  [[nodiscard]] Dim stride() const { return strides[0]; }
  [[nodiscard]] Dim dilation() const { return dilation_rate[0]; }
  // Number of steps from the first to the last that one output sees.
  [[nodiscard]] Dim span() const { return dilation() * (kernel_size[0] - 1) + 1; }
  // Number of output steps. Throws ShapeError if there would be none.
  [[nodiscard]] Dim output_steps(Dim time) const;
  // Number of steps of an input with its padding.
  [[nodiscard]] Dim padded_steps(Dim time) const;
  // Number of steps of padding before an input.
  [[nodiscard]] Dim padded_before(Dim time) const;
  // Returns x with the zeros of its padding before and after it along `axis`.
  [[nodiscard]] Tensor padded(const Tensor& x, int axis) const;
  // Returns the row of the first step that each output sees. Sequence s is `time` rows, beginning
  // with row index[s] * time, or s * time without an index.
  [[nodiscard]] std::vector<std::int32_t> starts(std::size_t sequences, Dim time, Dim steps,
                                                 const std::int32_t* index = nullptr) const;

  std::vector<int> kernel_size{1}, strides{1}, dilation_rate{1};
  std::string padding = "valid";
  DataFormat data_format;
};

}  // namespace maskflow
