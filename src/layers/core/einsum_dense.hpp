// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "ops/einsum.hpp"

namespace maskflow {

// A dense layer whose product is an Einstein sum of the input and the kernel. Also what the layers
// with several attention heads project with.
class EinsumDense final : public Layer {
 public:
  void describe(Fields& fields) override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] int min_rank() const override { return 1; }
  [[nodiscard]] Streaming streaming(const Shape& input) const override;
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  // Rows times the kernel as a matrix, plus the bias, activated: for equations that say no more
  // than that.
  void project(const kernels::Rows& rows, std::size_t count, float* out);
  // The same, not activated.
  void multiply(const kernels::Rows& rows, std::size_t count, float* out);
  [[nodiscard]] std::size_t width_in() { return packed().k(); }
  [[nodiscard]] std::size_t width() { return packed().n(); }
  [[nodiscard]] const std::string& equation() const { return equation_; }
  [[nodiscard]] const Activation& activation() const { return activation_; }
  [[nodiscard]] const VariablePtr& kernel() const { return kernel_; }
  [[nodiscard]] const VariablePtr& bias() const { return bias_; }  // null: none

 private:
  [[nodiscard]] Subscripts subscripts(const Shape& input) const;
  [[nodiscard]] static LabelGroups groups(const Subscripts& names);
  // Is it one product of rows with a matrix?
  [[nodiscard]] static bool is_product(const Subscripts& names, const LabelGroups& parts);
  void place_matrix(const Subscripts& names);
  [[nodiscard]] const kernels::PackedMatrix& packed();
  [[nodiscard]] kernels::PackedMatrix arranged() const;

  std::string equation_;
  List output_shape_;  // whole numbers and nulls
  Activation activation_{"linear"};
  std::optional<std::string> bias_axes_;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  VariablePtr kernel_, bias_;
  Shape built_for_;
  // The kernel as a matrix, if its axes are in the order of neither the matrix nor its transpose.
  kernels::PackedMatrix arranged_;
  Version arranged_from_;
};

}  // namespace maskflow
