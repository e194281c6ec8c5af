// SPDX-License-Identifier: MIT
#pragma once

#include "base/function_ref.hpp"
#include "layer/layer.hpp"
#include "rnn/run_cell.hpp"

namespace maskflow {

// The base of RNN, SimpleRNN, LSTM, GRU and ConvLSTM1D: everything but the cell.
class Recurrent : public Layer {
 public:
  Recurrent() { supports_masking_ = true; }

  // Returns the cell, which is a sublayer of this one.
  [[nodiscard]] virtual LayerPtr cell_layer() const = 0;
  [[nodiscard]] RnnCell& cell() const { return *cell_layer()->as_cell(); }

  // Builds a cell for inputs of this shape. Throws ShapeError if it was built for others.
  static void build_cell(const LayerPtr& cell, const Shape& input);

  void describe(Fields& fields) override;
  void build(const std::vector<Shape>& inputs) override;
  Structure call(const Args& args, Frame& frame) override;
  // A function with the arguments and results of run_cell().
  using Runner = FunctionRef<RunResult(RnnCell&, const Tensor& x, const SequencePlan&,
                                       const Tensors& initial, const RunOptions&, Frame&)>;
  // Computes `call` with another function in place of run_cell(), for training.
  virtual Structure call_with(const Args& args, Frame& frame, Runner run);
  OutputSpecs output_specs(const Args& args) override;
  Masks compute_mask(const Tensors& inputs, const Masks& masks) override;
  [[nodiscard]] bool takes_mask() const override { return true; }
  [[nodiscard]] bool supports_masking() const override;
  [[nodiscard]] bool folds_time(bool, const Frame&) const override { return !stateful_; }
  [[nodiscard]] Streaming streaming(const Shape&) const override {
    return go_backwards_ ? Streaming::kNever : Streaming::kKeepsState;
  }
  [[nodiscard]] int min_rank() const override { return 3; }
  [[nodiscard]] std::string_view call_arguments() const override { return "initial_state"; }
  [[nodiscard]] std::vector<LayerPtr> sublayers() const override { return {cell_layer()}; }
  void reset_state() override;
  [[nodiscard]] bool stateful() const override { return stateful_; }
  // Returns the states that a stateful layer keeps; nullopt for other layers, and while the number
  // of rows is not known.
  [[nodiscard]] virtual std::optional<Tensors> states();
  Recurrent* as_recurrent() override { return this; }

  [[nodiscard]] bool return_sequences() const { return return_sequences_; }
  [[nodiscard]] bool return_state() const { return return_state_; }
  [[nodiscard]] RunOptions options() const { return {return_sequences_, zero_output_for_mask_}; }
  [[nodiscard]] bool go_backwards() const { return go_backwards_; }

 private:
  [[nodiscard]] Tensors given_states(const TensorArgument& initial, Dim batch) const;
  // Returns the states in which a call begins, flat; an empty list stands for zeros.
  [[nodiscard]] Tensors initial_states(const Args& args, Dim batch, Frame& frame) const;
  [[nodiscard]] Tensor drop_input(const Tensor& x) const;

  bool return_sequences_ = false;
  bool return_state_ = false;
  bool go_backwards_ = false;
  bool stateful_ = false;
  bool unroll_ = false;
  bool zero_output_for_mask_ = false;
  Dim features_ = kUnknown;    // Features of the input that the layer was built for.
  Tensors states_;             // States of a stateful layer after its last call, flat.
  Dim state_rows_ = kUnknown;  // Rows of these states; they stay known after a reset.
  bool was_reset_ = false;     // The next call begins with zeros, whatever the cell begins with.
};

// Returns the states of a recurrent layer, or those of both directions of Bidirectional; nullopt
// for other layers.
[[nodiscard]] std::optional<Tensors> states_of(Layer& layer);

// A recurrent layer around one of Keras's cells, whose settings it shares.
template <class Cell>
class RecurrentOf : public Recurrent {
 public:
  RecurrentOf() : cell_(std::make_shared<Cell>()) {
    cell_->set_class_name(Cell::kClassName);
    // The name has no number: in Keras, too, the cell of every LSTM is named lstm_cell.
    cell_->set_name(snake_case(Cell::kClassName));
  }
  [[nodiscard]] LayerPtr cell_layer() const override { return cell_; }
  void describe(Fields& fields) override {
    Recurrent::describe(fields);
    cell_->describe_cell(fields);
    fields.inert(inert_, {"activity_regularizer"});
  }
  void check_config() const override { cell_->check_config(); }

 private:
  std::shared_ptr<Cell> cell_;
};

}  // namespace maskflow
