// SPDX-License-Identifier: MIT
#pragma once

#include "layer/layer.hpp"
#include "rnn/cell.hpp"
#include "rnn/projected_rows.hpp"

namespace maskflow {

// The base of Keras's three cells: settings, weights, and the cell as a layer that computes one
// step, with inputs [batch, features], the argument `states` and results [output, state, ...].
class CellLayer : public Layer, public RnnCell {
 public:
  explicit CellLayer(std::size_t gates) : gates_(gates) {}

  void describe(Fields& fields) override;
  // Describes the settings except name, trainable and dtype. The recurrent layer around the cell
  // has the same settings.
  virtual void describe_cell(Fields& fields) = 0;
  void check_config() const override;
  void build(const std::vector<Shape>& inputs) override;
  Structure call(const Args& args, Frame& frame) override;
  OutputSpecs output_specs(const Args& args) override;
  [[nodiscard]] int min_rank() const override { return 2; }
  [[nodiscard]] std::string_view call_arguments() const override { return "states"; }

  RnnCell* as_cell() override { return this; }
  [[nodiscard]] std::string cell_name() const override { return name(); }
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override { return {units()}; }
  [[nodiscard]] std::size_t output_size() const override { return units(); }
  [[nodiscard]] std::size_t features() const override {
    return static_cast<std::size_t>(features_);
  }
  [[nodiscard]] std::size_t projected_width() const override { return gates_ * units(); }
  void project(const kernels::Rows& inputs, std::size_t count, float* projected) override;
  [[nodiscard]] KeptProjections kept_projections() override;
  void begin(std::size_t lanes, Frame& frame) override;
  [[nodiscard]] bool runs_in_parts() const override {
    // JavaScript runs on one thread.
    return !activation_.is_custom() && !recurrent_activation_.is_custom() &&
           kernel_->packed().runs_in_parts() && recurrent_kernel_->packed().runs_in_parts();
  }
  void free_weights() override {
    Layer::free_weights();
    projected_rows_ = {};
  }

  [[nodiscard]] double input_dropout() const override { return dropout_; }

  [[nodiscard]] std::size_t units() const { return at(units_); }
  [[nodiscard]] const Activation& activation() const { return activation_; }
  [[nodiscard]] const Activation& recurrent_activation() const { return recurrent_activation_; }
  // Whether the activations are Keras's default ones, for which there are kernels; known in a run.
  [[nodiscard]] bool has_usual_gates() const { return has_usual_gates_; }
  [[nodiscard]] const VariablePtr& kernel() const { return kernel_; }
  [[nodiscard]] const VariablePtr& recurrent_kernel() const { return recurrent_kernel_; }
  // The bias is null if the layer has none.
  [[nodiscard]] const VariablePtr& bias() const { return bias_; }
  // Returns the factors of the state in the recurrent product, by lane; empty unless training with
  // dropout.
  [[nodiscard]] const kernels::Floats& recurrent_mask() const { return recurrent_mask_; }
  // Returns the state of these lanes as the recurrent product reads it: h times recurrent_mask(),
  // or h itself.
  const float* drop_state(const float* h, const StepLanes& lanes);
  // Returns the input and the states of a call as floats. Throws ShapeError or ValueError if they
  // do not fit the cell.
  [[nodiscard]] Tensors inputs_and_states(const Args& args) const;

 protected:
  [[nodiscard]] virtual Shape bias_shape() const { return {static_cast<Dim>(gates_) * units_}; }
  [[nodiscard]] virtual Initializer bias_initializer() const { return bias_initializer_; }
  // Computes out = start + h R. Most runs begin with zero states: their first step is not
  // multiplied.
  void multiply_state(const float* h, const StepLanes& lanes, kernels::Start start,
                      const float* bias, float* out);
  void describe_units(Fields& fields);
  void describe_weights(Fields& fields);
  void describe_dropout(Fields& fields);

  Dim features_ = kUnknown;  // Features of the input that the cell was built for.
  int units_ = 0;
  bool use_bias_ = true;
  bool has_usual_gates_ = false;
  Activation activation_{"tanh"};
  Activation recurrent_activation_{"sigmoid"};
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer recurrent_initializer_{"orthogonal"};
  Initializer bias_initializer_{"zeros"};
  VariablePtr kernel_, recurrent_kernel_, bias_;

 private:
  std::size_t gates_;
  bool first_step_ = false;
  double dropout_ = 0;
  double recurrent_dropout_ = 0;
  Value seed_;
  ProjectedRows projected_rows_;
  kernels::Floats recurrent_mask_, dropped_state_;
};

}  // namespace maskflow
