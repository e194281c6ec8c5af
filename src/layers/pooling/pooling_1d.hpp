// SPDX-License-Identifier: MIT
#pragma once

#include "layer/data_format.hpp"
#include "layer/layer.hpp"

namespace maskflow {

// The four poolings over windows of time. The name of the class selects one.
class Pooling1D final : public Layer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  [[nodiscard]] int rank() const override { return 3; }
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  // Whether the layer computes the maximum of a window instead of the mean.
  [[nodiscard]] bool is_max() const { return class_name().find("Max") != std::string::npos; }
  // Returns the first input step that output `step` of `steps` sees, and the end of its window.
  // Steps of padding are not included: they affect neither the maximum nor the mean.
  [[nodiscard]] std::pair<Dim, Dim> window(Dim step, Dim time, Dim steps) const;
  // Converts between the layer's data format and channels last, in either direction.
  [[nodiscard]] Tensor swapped(const Tensor& x) const;

 private:
  [[nodiscard]] bool is_adaptive() const { return class_name().starts_with("Adaptive"); }
  [[nodiscard]] bool channels_first() const { return data_format_.channels_first; }
  [[nodiscard]] int size() const { return size_.front(); }
  [[nodiscard]] Dim stride() const { return strides_ ? strides_->front() : size(); }
  [[nodiscard]] Dim output_steps(Dim time) const;
  void pool(const float* x, std::size_t rows, std::size_t width, float* out) const;

  std::vector<int> size_{2};
  std::optional<std::vector<int>> strides_;
  std::string padding_ = "valid";
  DataFormat data_format_;
};

}  // namespace maskflow
