// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "layer/layer.hpp"
#include "rnn/cell.hpp"

namespace maskflow::bindings {

// A JavaScript layer as a recurrent cell. Each step is one call of the layer with the inputs of the
// lanes that are alive, [lanes, features], and the argument `states`. The call returns the output
// and the new states.
class JsCell final : public RnnCell {
 public:
  // The layer must outlive its cell.
  JsCell(Layer& layer, std::vector<std::size_t> state_sizes, std::size_t output_size)
      : layer_(layer), state_sizes_(std::move(state_sizes)), output_size_(output_size) {}

  [[nodiscard]] std::vector<std::size_t> state_sizes() const override { return state_sizes_; }
  [[nodiscard]] std::size_t output_size() const override { return output_size_; }
  [[nodiscard]] std::size_t projected_width() const override { return features_; }
  void set_features(Dim features) { features_ = static_cast<std::size_t>(features); }
  // Copies the inputs: user code computes a step as a whole, so nothing can be projected earlier.
  void project(const kernels::Rows& inputs, std::size_t count, float* projected) override;
  const float* step(float* projected, const StepLanes& lanes,
                    std::span<float* const> states) override;
  void begin(std::size_t lanes, Frame& frame) override;

 private:
  // Copies a result of the call, [lanes, width]; ShapeError for any other shape.
  void copy_result(const Tensor& result, std::size_t lanes, std::size_t width, float* to) const;

  Layer& layer_;
  std::vector<std::size_t> state_sizes_;
  std::size_t output_size_;
  std::size_t features_ = 0;
  Frame* frame_ = nullptr;  // Frame of the call whose steps run.
  bool stepping_ = false;
  std::vector<float> output_;
};

}  // namespace maskflow::bindings
