// SPDX-License-Identifier: MIT
#include <array>

#include "layer/layer_gradient.hpp"
#include "layers/recurrent/cell_gradient.hpp"
#include "layers/recurrent/recurrent.hpp"
#include "ops/ops.hpp"
#include "rnn/cell_run.hpp"

namespace maskflow {
namespace {

Tensor indices(std::span<const std::int32_t> values) {
  return Tensor::from<std::int32_t>({static_cast<Dim>(values.size())}, values);
}

Tensor take_rows(const Tensor& x, std::span<const std::int32_t> rows) {
  return ops::take(x, indices(rows), 0);
}

// Computes what run_cell() computes, along the same plan, in recorded ops: for cells without fused
// steps, whose gradients only the tape knows.
class ComposedRun {
 public:
  ComposedRun(Layer& cell, const SequencePlan& plan, Tape& tape)
      : cell_(cell), plan_(plan), tape_(tape) {}

  RunResult run(const Tensor& x, const Tensors& initial, const RunOptions& options, Frame& frame) {
    const CellRun run(*cell_.as_cell(), at(plan_.batch), frame);
    load_states(initial);
    const Tensors steps = split_steps(x);
    Tensors outputs;
    for (std::size_t k = 0; k < steps.size(); ++k) {
      outputs.push_back(step(steps[k], plan_.lanes[k], frame));
    }
    return {shown_rows(outputs, options), last_states()};
  }

 private:
  void load_states(const Tensors& initial) {
    for (const Tensor& state : initial) states_.push_back(take_rows(state, plan_.order));
    if (!initial.empty()) return;
    for (const std::size_t size : cell_.as_cell()->state_sizes()) {
      states_.push_back(Tensor::zeros(DType::kFloat32, {plan_.batch, static_cast<Dim>(size)}));
    }
  }

  // Returns the rows of each step. One op takes them all: if each step took its own, each would
  // have a gradient of the size of x.
  Tensors split_steps(const Tensor& x) const {
    if (plan_.lanes.empty()) return {};
    const Tensor rows =
        take_rows(x.reshaped({x.shape()[0] * x.shape()[1], x.shape()[2]}), plan_.source);
    std::vector<Dim> ends;
    Dim end = 0;
    for (std::size_t k = 0; k + 1 < plan_.lanes.size(); ++k) {
      ends.push_back(end += plan_.lanes[k]);
    }
    return ops::split(rows, ends, 0);
  }

  // Computes one step and returns its output. Lanes that have ended keep their states.
  Tensor step(const Tensor& x, Dim lanes, Frame& frame) {
    const bool all_alive = lanes == plan_.batch;
    Tensors alive;
    for (const Tensor& state : states_) {
      alive.push_back(all_alive ? state : ops::slice_axis(state, 0, 0, lanes));
    }
    const Tensors results = composed_step(cell_, x, alive, frame, tape_);
    for (std::size_t s = 0; s < states_.size(); ++s) {
      const Tensor& state = results[s + 1];
      if (all_alive) {
        states_[s] = state;
      } else {
        const Tensor ended = ops::slice_axis(states_[s], 0, lanes, plan_.batch);
        states_[s] = ops::concatenate(std::array{state, ended}, 0);
      }
    }
    return results.front();
  }

  // Returns the row that each output position shows. Row plan_.rows() is zeros.
  Tensor shown_rows(Tensors outputs, const RunOptions& options) const {
    const auto units = static_cast<Dim>(cell_.as_cell()->output_size());
    outputs.push_back(Tensor::zeros(DType::kFloat32, {1, units}));
    const Tensor table = ops::concatenate(outputs, 0);
    std::vector<std::int32_t> rows;
    const std::size_t stride = options.return_sequences ? 1 : at(plan_.time);
    for (std::size_t output = stride - 1; output < plan_.target.size(); output += stride) {
      const std::int32_t row = plan_.shown_row(output, options.zero_output_for_mask);
      rows.push_back(row < 0 ? plan_.rows() : row);
    }
    const Tensor result = take_rows(table, rows);
    return options.return_sequences ? result.reshaped({plan_.batch, plan_.time, units}) : result;
  }

  Tensors last_states() const {
    std::vector<std::int32_t> lanes(plan_.order.size());
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
      lanes[at(plan_.order[lane])] = static_cast<std::int32_t>(lane);
    }
    Tensors states;
    for (const Tensor& state : states_) states.push_back(take_rows(state, lanes));
    return states;
  }

  Layer& cell_;
  const SequencePlan& plan_;
  Tape& tape_;
  Tensors states_;
};

Structure run_recurrent(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  Recurrent& recurrent = *layer.as_recurrent();
  Layer& cell_layer = *recurrent.cell_layer();
  return recurrent.call_with(
      args, frame,
      [&](RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
          const RunOptions& options, Frame& inner) {
        if (auto gradient = fused_gradient(cell_layer)) {
          return run_recorded(tape, cell, std::move(gradient), x, plan, initial, options, inner);
        }
        return ComposedRun(cell_layer, plan, tape).run(x, initial, options, inner);
      });
}

// Runs a cell that is called as a layer for one step.
Structure run_one_step(Layer& layer, const Args& args, Frame& frame, Tape& tape) {
  auto& cell = static_cast<CellLayer&>(layer);
  Tensors states = cell.inputs_and_states(args);
  const Tensor x = std::move(states.front());
  states.erase(states.begin());
  const auto batch = static_cast<std::int32_t>(x.shape()[0]);
  if (auto gradient = fused_gradient(layer)) {
    const auto plan = SequencePlan::all_kept(batch, 1, false);
    RunResult run =
        run_recorded(tape, cell, std::move(gradient), x.reshaped({x.shape()[0], 1, x.shape()[1]}),
                     *plan, states, {}, frame);
    run.states.insert(run.states.begin(), run.output);
    return {std::move(run.states), true};
  }
  const CellRun run(cell, at(batch), frame);
  return {composed_step(layer, x, states, frame, tape), true};
}

constexpr LayerGradient kGradients[] = {
    {"LSTM", run_recurrent},   {"GRU", run_recurrent},          {"SimpleRNN", run_recurrent},
    {"RNN", run_recurrent},    {"ConvLSTM1D", run_recurrent},   {"LSTMCell", run_one_step},
    {"GRUCell", run_one_step}, {"SimpleRNNCell", run_one_step}, {"StackedRNNCells", run_one_step},
};
const RegisterLayerGradients registration{kGradients};

}  // namespace
}  // namespace maskflow
