// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/normalize_rows.hpp"
#include "layer/layer.hpp"

namespace maskflow {

// The base of the layers that normalize: axes, an epsilon, and the weights gamma and beta.
class NormalizationLayer : public Layer {
 public:
  NormalizationLayer() { supports_masking_ = true; }
  void build(const std::vector<Shape>& inputs) override;
  OutputSpecs output_specs(const Args& args) override;
  [[nodiscard]] Streaming streaming(const Shape& input) const override;
  // Writes a single axis as a number.
  [[nodiscard]] Dict get_config() override;

 protected:
  // Describes epsilon and the settings of gamma and beta.
  void describe_scaling(Fields& fields);
  void add_scaling(const Shape& input, bool scale, bool center, const char* gamma = "gamma");
  // Returns the axes of the setting, numbered from 0, in ascending order.
  [[nodiscard]] std::vector<Dim> sorted_axes(int rank) const;
  // Returns the shape of the input with size 1 on all other axes.
  [[nodiscard]] Shape on_axes(const Shape& input) const;
  // Throws ShapeError if a weight was built for another size.
  static void check_size(const Variable& weight, const Shape& shape);
  // Returns a weight in another shape. Throws ShapeError if it was built for another size.
  [[nodiscard]] static Tensor placed(const Variable& weight, const Shape& shape);
  // Returns gamma / sqrt(spread + epsilon), with gamma in `shape`.
  [[nodiscard]] Tensor factor(const Tensor& spread, const Shape& shape) const;
  // Returns x / sqrt(spread + epsilon) * gamma + beta, with the weights in `shape`.
  [[nodiscard]] Tensor scale(const Tensor& x, const Tensor& spread, const Shape& shape) const;

  std::vector<int> axes_{-1};
  double epsilon_ = 1e-3;
  bool center_ = true;
  bool scale_ = true;
  VariablePtr gamma_, beta_;

 private:
  Initializer beta_initializer_{"zeros"};
  Initializer gamma_initializer_{"ones"};
};

// The base of the layers that divide each sample by the square root of a spread over the axes.
class SpreadNormalization : public NormalizationLayer {
 public:
  [[nodiscard]] bool each_row_alone() const override { return axes_ == std::vector{-1}; }
  Structure call(const Args& args, Frame& frame) override;
  bool write_rows(const RowCall& rows) override;
  // Computes `call` in ops, for any axes, so that a tape can record it.
  [[nodiscard]] Tensor normalize_with_ops(const Tensor& x) const;

 protected:
  // Returns the kind of spread, and whether the mean is subtracted.
  [[nodiscard]] virtual kernels::RowScaling scaling() const = 0;

 private:
  void write_normalized(const RowCall& rows) const;
};

}  // namespace maskflow
