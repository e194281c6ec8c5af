// SPDX-License-Identifier: MIT
#pragma once

#include "layers/convolution/convolution.hpp"
#include "layers/recurrent/lstm_cell.hpp"

namespace maskflow {

// LSTM with convolutions for its products. A frame [positions, channels] is one row for the loop
// over time; so are its gates and its states.
class ConvLstmCell final : public LstmCell {
 public:
  static constexpr const char* kClassName = "ConvLSTMCell";

  void describe_cell(Fields& fields) override;
  void check_config() const override;
  void set_frame(Dim positions, Dim channels);
  void build(const std::vector<Shape>&) override;

  [[nodiscard]] const Window& window() const { return window_; }
  [[nodiscard]] Dim positions() const { return positions_; }
  [[nodiscard]] Dim channels() const { return channels_; }
  [[nodiscard]] Dim frame_size() const { return padded_ * channels_; }
  [[nodiscard]] std::size_t output_size() const override { return at(positions_) * units(); }
  // Number of zero positions around each frame of the state, for the recurrent kernel.
  [[nodiscard]] Dim border() const { return window_.kernel_size[0] - 1; }
  [[nodiscard]] WindowProduct& input_product() { return *input_product_; }
  [[nodiscard]] WindowProduct& recurrent_product() { return *recurrent_product_; }
  [[nodiscard]] std::size_t projected_width() const override { return 4 * output_size(); }

  void project(const kernels::Rows& frames, std::size_t count, float* projected) override;
  void begin(std::size_t lanes, Frame& frame) override;
  const float* step(float* gates, const StepLanes& lanes, std::span<float* const> states) override;
  // The products allocate.
  [[nodiscard]] bool runs_in_parts() const override { return false; }

 private:
  Window window_;
  Dim positions_ = 0;  // Positions of an output frame.
  Dim padded_ = 0;     // Positions of an input frame with its padding.
  Dim channels_ = 0;
  std::optional<WindowProduct> input_product_, recurrent_product_;
  std::vector<std::int32_t> first_;
  kernels::Floats bordered_;  // The state with zeros around each frame.
};

}  // namespace maskflow
