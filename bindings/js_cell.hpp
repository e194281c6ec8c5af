// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "layer/layer.hpp"
#include "rnn/cell.hpp"

namespace maskflow::bindings {

class JsLayer;

// A JavaScript layer as a recurrent cell. Each step is one call of the layer with the inputs of the
// lanes that are alive, [lanes, features], and the argument `states`. The call returns the output
// and the new states.
class JsCell final : public RnnCell {
 public:
  // The layer must outlive its cell.
  JsCell(JsLayer& layer, std::vector<Shape> state_shapes, const Shape& output_shape)
      : layer_(layer),
        state_shapes_(std::move(state_shapes)),
        output_shape_(output_shape),
        output_size_(output_shape.elements()) {}

  [[nodiscard]] std::string cell_name() const override;
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override;
  [[nodiscard]] std::size_t output_size() const override { return output_size_; }
  [[nodiscard]] std::vector<Shape> state_shapes() const override { return state_shapes_; }
  [[nodiscard]] Shape output_shape() const override { return output_shape_; }
  [[nodiscard]] Tensors initial_states(Dim batch, Frame& frame) override;
  void build_inside() override;
  Tensors layer_step(const Tensor& x, const Tensors& states, Frame& frame) override;
  [[nodiscard]] std::size_t features() const override { return features_; }
  [[nodiscard]] std::size_t projected_width() const override { return features_; }
  void set_features(Dim features) { features_ = static_cast<std::size_t>(features); }
  // Copies the inputs: user code computes a step as a whole, so nothing can be projected earlier.
  void project(const kernels::Rows& inputs, std::size_t count, float* projected) override;
  const float* step(float* projected, const StepLanes& lanes,
                    std::span<float* const> states) override;
  void begin(std::size_t lanes, Frame& frame) override;

 private:
  // Returns a result of the call as flat rows of floats; ShapeError unless the rows have `shape`.
  [[nodiscard]] Tensor flat_result(const Tensor& result, Dim lanes, const Shape& shape) const;

  JsLayer& layer_;
  std::vector<Shape> state_shapes_;  // Of one row.
  Shape output_shape_;
  std::size_t output_size_;
  std::size_t features_ = 0;
  Frame* frame_ = nullptr;  // Frame of the call whose steps run.
  std::vector<float> output_;
};

}  // namespace maskflow::bindings
