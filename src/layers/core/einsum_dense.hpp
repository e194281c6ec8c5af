// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "ops/einsum.hpp"

namespace maskflow {

// A dense layer whose product is an Einstein sum of the input and the kernel. Layers with several
// attention heads use it for their projections.
class EinsumDense final : public Layer {
 public:
  void describe(Fields& fields) override;
  void build(const std::vector<Shape>& inputs) override;
  [[nodiscard]] int min_rank() const override { return 1; }
  [[nodiscard]] Streaming streaming(const Shape& input) const override;
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;

  // Computes activation(rows * kernel + bias), with the kernel as a matrix. The equation must be
  // one matrix product.
  void project(const kernels::Rows& rows, std::size_t count, float* out);
  // project() without the activation.
  void multiply(const kernels::Rows& rows, std::size_t count, float* out);
  [[nodiscard]] std::size_t width_in() { return packed().k(); }
  [[nodiscard]] std::size_t width() { return packed().n(); }
  [[nodiscard]] const std::string& equation() const { return equation_; }
  [[nodiscard]] const Activation& activation() const { return activation_; }
  [[nodiscard]] const VariablePtr& kernel() const { return kernel_; }
  // The bias is null if the layer has none.
  [[nodiscard]] const VariablePtr& bias() const { return bias_; }

 private:
  [[nodiscard]] Subscripts subscripts(const Shape& input) const;
  [[nodiscard]] static LabelGroups groups(const Subscripts& names);
  // True if the equation is one product of rows with a matrix.
  [[nodiscard]] static bool is_product(const Subscripts& names, const LabelGroups& parts);
  void place_matrix(const Subscripts& names);
  [[nodiscard]] const kernels::PackedMatrix& packed();
  [[nodiscard]] kernels::PackedMatrix pack_reordered() const;

  std::string equation_;
  List output_shape_;  // A list of integers and nulls.
  Activation activation_{"linear"};
  std::optional<std::string> bias_axes_;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  VariablePtr kernel_, bias_;
  Shape built_for_;
  // The kernel as a matrix, if its axes are in the order of neither the matrix nor its transpose,
  // and the version of the kernel that it is computed from.
  kernels::PackedMatrix reordered_;
  Version reordered_from_;
};

}  // namespace maskflow
