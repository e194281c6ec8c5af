// SPDX-License-Identifier: MIT
#include "rnn/run_cell_gradient.hpp"

#include <algorithm>
#include <utility>

#include "kernels/copy.hpp"
#include "kernels/scan.hpp"
#include "kernels/team.hpp"
#include "rnn/lane_ranges.hpp"

namespace maskflow {
namespace {

// A cell whose steps are those of `gradient`, with their results in `history`.
class RecordingCell final : public RnnCell {
 public:
  RecordingCell(RnnCell& cell, CellGradient& gradient, RunHistory& history,
                const SequencePlan& plan)
      : cell_(cell), gradient_(gradient), history_(history), plan_(plan) {}

  [[nodiscard]] std::string cell_name() const override { return cell_.cell_name(); }
  [[nodiscard]] std::vector<RnnCell*> inner_cells() override { return {&cell_}; }
  [[nodiscard]] std::vector<std::size_t> state_sizes() const override {
    return cell_.state_sizes();
  }
  [[nodiscard]] std::size_t output_size() const override { return cell_.output_size(); }
  [[nodiscard]] std::size_t features() const override { return cell_.features(); }
  [[nodiscard]] std::size_t projected_width() const override { return cell_.projected_width(); }
  // Projects into the history, where step() expects the rows; the buffer of the loop stays unused.
  void project(const kernels::Rows& inputs, std::size_t count, float* /*projected*/) override {
    cell_.project(inputs, count, history_.gates.data() + projected_rows_ * history_.gate_width);
    projected_rows_ += count;
  }
  void begin(std::size_t lanes, Frame& frame) override {
    history_.gates.resize((Count(history_.rows) * history_.gate_width).of<float>());
    history_.extra.resize((Count(history_.rows) * history_.extra_width).of<float>());
    history_.h.resize((Count(history_.rows) * history_.units).of<float>());
    all_lanes_ = lanes;
    cell_.begin(lanes, frame);
    gradient_.begin(lanes);
    std::size_t row = 0;
    for (std::size_t step = 0; step + 1 < plan_.lanes.size(); ++step) {
      for (std::int32_t lane = 0; lane < plan_.lanes[step + 1]; ++lane) {
        history_.before.push_back(static_cast<std::int32_t>(row) + lane);
      }
      row += at(plan_.lanes[step]);
    }
  }
  [[nodiscard]] bool runs_in_parts() const override { return cell_.runs_in_parts(); }
  bool project_all(const kernels::Rows& inputs) override {
    project(inputs, history_.rows, nullptr);
    return true;
  }
  const float* step(float* /*projected*/, const StepLanes& lanes,
                    std::span<float* const> states) override {
    const std::size_t width = history_.units;
    const std::size_t first = lanes.first * width;
    if (lanes.before == 0) start(lanes.count, states);
    const StepRows rows = history_.step(lanes);
    gradient_.forward(rows);
    kernels::copy(rows.h, states[0] + first, lanes.count * width);
    if (states.size() > 1) kernels::copy(rows.extra, states[1] + first, lanes.count * width);
    return states[0];
  }

 private:
  void start(std::size_t lanes, std::span<float* const> states) {
    const std::size_t size = all_lanes_ * history_.units;
    history_.first_lanes = lanes;
    history_.h_start.assign(states[0], states[0] + size);
    if (states.size() > 1) history_.c_start.assign(states[1], states[1] + size);
    history_.starts_from_zeros = kernels::all_zero(states[0], size);
  }

  RnnCell& cell_;
  CellGradient& gradient_;
  RunHistory& history_;
  const SequencePlan& plan_;
  std::size_t all_lanes_ = 0;
  std::size_t projected_rows_ = 0;
};

// The tensor that gets the gradient of the input, and its row for each packed row.
struct InputRows {
  Tensor tensor;
  std::vector<std::int32_t> rows;
};

// Returns x itself, or the table from which its rows were selected, if that is not larger: then no
// gradient has rows for masked steps.
InputRows input_rows(const Tape& tape, const Tensor& x, const SequencePlan& plan) {
  const Tape::Selection* const selection = tape.tracks(x) ? tape.selection_of(x) : nullptr;
  if (selection == nullptr || selection->table.shape().back() != x.shape().back() ||
      selection->table.size() > x.size()) {
    return {x, plan.source};
  }
  InputRows input{selection->table, plan.source};
  for (std::int32_t& row : input.rows) row = selection->index[at(row)];
  return input;
}

// One run: its forward pass, and its backward pass when the tape asks for it.
class RecordedRun {
 public:
  RecordedRun(std::unique_ptr<CellGradient> gradient, Tensor x, InputRows input,
              const SequencePlan& plan, Tensors initial, const RunOptions& options)
      : gradient_(std::move(gradient)),
        x_(std::move(x)),
        input_(std::move(input)),
        plan_(plan),
        initial_(std::move(initial)),
        options_(options),
        features_(at(x_.shape().back())) {}

  RunResult forward(RnnCell& cell, Frame& frame) {
    history_.units = cell.output_size();
    history_.gate_width = cell.projected_width();
    history_.extra_width = gradient_->extra_width();
    history_.rows = at(plan_.rows());
    states_ = cell.state_sizes().size();
    RecordingCell recording(cell, *gradient_, history_, plan_);
    return run_cell(recording, x_, plan_, initial_, options_, frame);
  }

  // Returns the gradients of the input, of the initial states and of the weights.
  Tensors backward(const Tensors& cotangents, const std::vector<bool>& needs) {
    const std::size_t width = history_.units;
    kernels::Floats output(history_.rows * width, 0.0F);
    add_output(cotangents[0], output.data());
    kernels::Floats dh = state_cotangent(cotangents[1]);
    kernels::Floats dc = states_ > 1 ? state_cotangent(cotangents[2]) : kernels::Floats();
    gradient_->begin_backward();
    const std::vector<LaneRange> ranges =
        lane_ranges(plan_, kernels::Work{2} * history_.units * history_.gate_width);
    kernels::parallel(static_cast<int>(ranges.size()), [&](int part, int /*member*/) {
      run_backward(ranges[at(part)], output.data(), dh.data(), dc.data());
    });
    Tensors gradients;
    gradients.push_back(needs[0] ? input_gradient() : Tensor());
    for (std::size_t s = 0; s < initial_.size(); ++s) {
      gradients.push_back(rows_of_lanes(plan_, width, s == 0 ? dh.data() : dc.data()));
    }
    for (Tensor& gradient : weight_gradients()) gradients.push_back(std::move(gradient));
    return gradients;
  }

 private:
  // Runs the steps of these lanes backwards. `output` has the cotangents of all outputs; dh and dc
  // are those of the last states and become those of the initial states.
  void run_backward(const LaneRange& part, const float* output, float* dh, float* dc) {
    const std::size_t width = history_.units;
    std::size_t row = history_.rows + part.first;
    for (std::size_t step = plan_.lanes.size(); step-- > 0;) {
      const std::size_t lanes = at(plan_.lanes[step]);
      row -= lanes;
      const std::size_t alive = part.alive(lanes);
      if (alive == 0) continue;
      const std::size_t before = step > 0 ? at(plan_.lanes[step - 1]) : 0;
      float* const dh_part = dh + part.first * width;
      kernels::add(output + row * width, dh_part, alive * width);
      gradient_->backward(history_.step({alive, part.first, row, before}), dh_part,
                          dc == nullptr ? nullptr : dc + part.first * width);
    }
  }

  // Adds the cotangent of each output position to that of the packed row which it shows.
  void add_output(const Tensor& cotangent, float* to) const {
    if (cotangent.empty_handle()) return;
    const std::size_t width = history_.units;
    const std::size_t stride = options_.return_sequences ? 1 : at(plan_.time);
    const float* from = cotangent.floats();
    for (std::size_t output = stride - 1; output < plan_.target.size(); output += stride) {
      const std::int32_t row = plan_.shown_row(output, options_.zero_output_for_mask);
      if (row >= 0) kernels::add(from, to + at(row) * width, width);
      from += width;
    }
  }

  // Returns the cotangent of a state by lane; zeros if it has none.
  [[nodiscard]] kernels::Floats state_cotangent(const Tensor& cotangent) const {
    kernels::Floats lanes(at(plan_.batch) * history_.units, 0.0F);
    if (!cotangent.empty_handle()) {
      copy_to_lanes(plan_, history_.units, cotangent.floats(), lanes.data());
    }
    return lanes;
  }

  [[nodiscard]] Tensor input_gradient() const {
    const Tensor kernel = gradient_->weights()[0];
    Tensor rows(DType::kFloat32, {static_cast<Dim>(history_.rows), static_cast<Dim>(features_)});
    kernels::multiply_transposed({history_.gates.data(), history_.gate_width}, history_.rows,
                                 kernel.floats(), features_, history_.gate_width,
                                 rows.mutable_floats());
    return scatter_rows(rows, input_.rows, input_.tensor.shape());
  }

  [[nodiscard]] Tensors weight_gradients() const {
    Tensors gradients;
    for (const Tensor& weight : gradient_->weights()) {
      gradients.push_back(Tensor::zeros(DType::kFloat32, weight.shape()));
    }
    kernels::add_outer({x_.floats(), features_, plan_.source.data()},
                       {history_.gates.data(), history_.gate_width}, history_.rows, features_,
                       history_.gate_width, gradients[0].mutable_floats(), history_.gate_width);
    gradient_->add_weights(history_, gradients[1].mutable_floats(),
                           gradients.size() > 2 ? gradients[2].mutable_floats() : nullptr);
    return gradients;
  }

  std::unique_ptr<CellGradient> gradient_;
  Tensor x_;
  InputRows input_;
  SequencePlan plan_;
  Tensors initial_;
  RunOptions options_;
  std::size_t features_;
  std::size_t states_ = 0;
  RunHistory history_;
};

bool all_finite(const kernels::Rows& rows, std::size_t count, std::size_t width) {
  for (std::size_t row = 0; row < count; ++row) {
    if (!kernels::all_finite(rows[row], width)) return false;
  }
  return true;
}

}  // namespace

StepRows RunHistory::step(const StepLanes& lanes) {
  const bool is_first = lanes.before == 0;
  const std::size_t previous = is_first ? lanes.first : lanes.row - lanes.before;
  // Empty at the first step of cells with one state.
  const kernels::Floats& before_extra = is_first ? c_start : extra;
  const float* const extra_before =
      before_extra.empty() ? nullptr : before_extra.data() + previous * extra_width;
  return {lanes,
          gates.data() + lanes.row * gate_width,
          extra.data() + lanes.row * extra_width,
          h.data() + lanes.row * units,
          (is_first ? h_start : h).data() + previous * units,
          extra_before};
}

void RunHistory::add_recurrent(const kernels::Rows& g, std::size_t n, float* to,
                               std::size_t stride) const {
  // Products with zero states are skipped unless g is not finite, because then they are NaN.
  if (!starts_from_zeros || !all_finite(g, first_lanes, n)) {
    kernels::add_outer({h_start.data(), units}, g, first_lanes, units, n, to, stride);
  }
  const kernels::Rows later{g.base + first_lanes * g.stride, g.stride};
  kernels::add_outer({h.data(), units, before.data()}, later, before.size(), units, n, to, stride);
}

RunResult run_recorded(Tape& tape, RnnCell& cell, std::unique_ptr<CellGradient> gradient,
                       const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                       const RunOptions& options, Frame& frame) {
  InputRows from = input_rows(tape, x, plan);
  Tensors inputs{from.tensor};
  inputs.insert(inputs.end(), initial.begin(), initial.end());
  const Tensors weights = gradient->weights();
  inputs.insert(inputs.end(), weights.begin(), weights.end());
  auto run = std::make_shared<RecordedRun>(std::move(gradient), x, std::move(from), plan, initial,
                                           options);
  RunResult result = tape.unrecorded([&] { return run->forward(cell, frame); });
  Tensors results{result.output};
  results.insert(results.end(), result.states.begin(), result.states.end());
  std::vector<bool> needs;
  for (const Tensor& input : inputs) needs.push_back(tape.tracks(input));
  tape.record(inputs, results,
              [run, needs](const Tensors& cotangents) { return run->backward(cotangents, needs); });
  return result;
}

}  // namespace maskflow
