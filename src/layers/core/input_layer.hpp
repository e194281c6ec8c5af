// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"

namespace maskflow {

// An input of a graph: a shape and a dtype.
class InputLayer final : public Layer {
 public:
  void describe(Fields& fields) override;
  void check_config() const override;
  Structure call(const Args& args, Frame& /*frame*/) override { return args.inputs; }
  OutputSpecs output_specs(const Args&) override { return {spec()}; }
  [[nodiscard]] TensorSpec spec() const;
  InputLayer* as_input_layer() override { return this; }
  // Adds the node of this input to the graph.
  [[nodiscard]] Tensor symbol();

 private:
  Value batch_shape_;
  std::string dtype_name_ = "float32";
  bool sparse_ = false;
  bool ragged_ = false;
  bool optional_ = false;
};

// Returns the symbolic tensor of a new InputLayer.
[[nodiscard]] Tensor input_symbol(const Dict& config);
[[nodiscard]] Tensor input_symbol(const TensorSpec& spec, const std::string& name = {});

// Reads a shape from a config: a list of sizes, with null for an unknown size. `what` names the
// setting in errors.
[[nodiscard]] Shape shape_from(const Value& value, Name what);
[[nodiscard]] Value shape_value(const Shape& shape);

}  // namespace maskflow
