// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {

// Computes activation(x * kernel + bias), a matrix product over the last axis.
class Dense final : public Layer {
 public:
  Dense() { supports_masking_ = true; }

  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("units", units_, "Size of the last axis of the output; at least 1.",
                 FieldKind::kRequired);
    fields.field("activation", activation_, "Activation function of the result.");
    fields.field("use_bias", use_bias_, "Add a bias [units].");
    fields.field("kernel_initializer", kernel_initializer_,
                 "Initializer of the kernel [features, units].");
    fields.field("bias_initializer", bias_initializer_, "Initializer of the bias.");
    fields.inert(inert_, {"kernel_regularizer", "bias_regularizer", "activity_regularizer",
                          "kernel_constraint", "bias_constraint", "quantization_config"});
    fields.ignored({"lora_rank", "lora_alpha"});
  }
  void check_config() const override {
    if (units_ <= 0) config_error("'units' is ", units_, " but must be at least 1");
  }
  void build(const std::vector<Shape>& inputs) override {
    kernel_ = add_weight("kernel", {inputs.front().back(), units_}, kernel_initializer_);
    fix_size(-1, inputs.front().back());
    kernel_->use_matrix();
    if (use_bias_) bias_ = add_weight("bias", {units_}, bias_initializer_);
  }
  [[nodiscard]] int min_rank() const override { return 2; }
  // A custom activation may use all rows.
  [[nodiscard]] bool each_row_alone() const override { return !activation_.is_custom(); }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return each_step_unless(activation_.is_custom());
  }

  [[nodiscard]] const VariablePtr& kernel() const { return kernel_; }
  // The bias is null if the layer has none.
  [[nodiscard]] const VariablePtr& bias() const { return bias_; }
  [[nodiscard]] const Activation& activation() const { return activation_; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor x = ops::cast(args.inputs.front(), DType::kFloat32);
    Shape shape = x.shape();
    shape.set(-1, units_);
    Tensor output(DType::kFloat32, shape);
    const float* const input = x.floats();
    write_rows({{&input, 1},
                output.size() / static_cast<std::size_t>(units_),
                static_cast<std::size_t>(kernel_->shape()[0]),
                output.mutable_floats()});
    if (activation_.is_custom()) output = activation_(output);
    return {output};
  }
  bool write_rows(const RowCall& rows) override {
    kernels::gemm({rows.inputs.front(), rows.width}, rows.count, kernel_->packed(),
                  use_bias_ ? kernels::Start::kBias : kernels::Start::kZero,
                  use_bias_ ? bias_->data() : nullptr, rows.output);
    if (activation_.is_custom()) return true;
    activation_.apply(rows.output, rows.count, static_cast<std::size_t>(units_));
    return true;
  }
  OutputSpecs output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    shape.set(-1, units_);
    return {{shape, DType::kFloat32}};
  }

 private:
  int units_ = 0;
  Activation activation_{"linear"};
  bool use_bias_ = true;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  VariablePtr kernel_, bias_;
};

}  // namespace maskflow
