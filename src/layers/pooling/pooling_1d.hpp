// SPDX-License-Identifier: MIT
#pragma once

#include "layer/data_format.hpp"
#include "layer/layer.hpp"

namespace maskflow {

// All four poolings over windows of time; the class name says which one this is.
class Pooling1D final : public Layer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  [[nodiscard]] int rank() const override { return 3; }
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  // The largest of a window, not the mean?
  [[nodiscard]] bool largest() const { return class_name().find("Max") != std::string::npos; }
  // The steps that output `step` of `steps` sees, those of the padding left out: they count for
  // nothing.
  [[nodiscard]] std::pair<Dim, Dim> window(Dim step, Dim time, Dim steps) const;
  // From channels first, if that is the layer's way, to channels last, and back.
  [[nodiscard]] Tensor swapped(const Tensor& x) const;

 private:
  [[nodiscard]] bool adaptive() const { return class_name().starts_with("Adaptive"); }
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
