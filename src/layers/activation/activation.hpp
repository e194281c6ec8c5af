// SPDX-License-Identifier: MIT
#pragma once

#include "kernels/copy.hpp"
#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {

class ActivationLayer final : public Layer {
 public:
  ActivationLayer() { supports_masking_ = true; }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("activation", activation_, "Name of the activation function.",
                 FieldKind::kRequired);
  }
  [[nodiscard]] const Activation& activation() const { return activation_; }

  // Returns the dtype of the result for inputs of this dtype.
  [[nodiscard]] DType result_dtype(DType input) const;

  // With "linear", the result is the input itself.
  [[nodiscard]] bool each_row_alone() const override {
    return activation_.name() != "linear" && !activation_.is_custom();
  }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return each_step_unless(activation_.is_custom());
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    const Tensor& x = args.inputs.front();
    // As in Keras, the same tensor is returned.
    if (activation_.name() == "linear") return {x};
    return {activation_(x)};
  }
  bool write_rows(const RowCall& rows) override {
    if (!each_row_alone() || activation_.name() == "glu") return false;
    kernels::copy(rows.inputs.front(), rows.output, rows.count * rows.width);
    activation_.apply(rows.output, rows.count, rows.width);
    return true;
  }
  OutputSpecs output_specs(const Args& args) override {
    const Tensor& x = args.inputs.front();
    Shape shape = x.shape();
    if (activation_.name() == "glu" && shape.back() != kUnknown) shape.set(-1, shape.back() / 2);
    return {{shape, result_dtype(x.dtype())}};
  }

 private:
  Activation activation_{"linear"};
};

}  // namespace maskflow
