// SPDX-License-Identifier: MIT
#include "rnn/run_cell.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "rnn/projected_rows.hpp"

namespace maskflow {
namespace {

class Run {
 public:
  Run(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const RunOptions& options)
      : cell_(cell),
        plan_(plan),
        options_(options),
        features_(at(plan.batch * plan.time) == 0 ? 0 : x.size() / at(plan.batch * plan.time)),
        width_(cell.output_size()),
        lookup_(usable_lookup(x)),
        x_(lookup_ == nullptr ? x.floats() : nullptr) {}

  void load_states(const Tensors& initial) {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      states_.emplace_back((Count(plan_.batch) * sizes[s]).of<float>(), 0.0F);
      if (s < initial.size()) {
        copy_to_lanes(plan_, sizes[s], initial[s].floats(), states_[s].data());
      }
    }
    for (auto& state : states_) state_rows_.push_back(state.data());
  }

  [[nodiscard]] Tensor compute_output(Frame& frame) {
    const Dim units = static_cast<Dim>(width_);
    Tensor output = options_.return_sequences
                        ? Tensor(DType::kFloat32, {plan_.batch, plan_.time, units})
                        : Tensor::zeros(DType::kFloat32, {plan_.batch, units});
    float* out = output.mutable_floats();
    cell_.begin(at(plan_.batch), frame);
    const float* last = run_steps(out);
    if (options_.return_sequences) {
      fill_masked(out);
    } else if (last != nullptr) {
      store_last(last, out);
    }
    return output;
  }

  [[nodiscard]] Tensors final_states() const {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    Tensors result;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      result.push_back(rows_of_lanes(plan_, sizes[s], states_[s].data()));
    }
    return result;
  }

 private:
  // Returns the lookup behind x if each of its rows is a step and the cell keeps projections.
  [[nodiscard]] const Lookup* usable_lookup(const Tensor& x) const {
    const Lookup* lookup = x.lookup();
    if (lookup == nullptr || lookup->table.width != features_) return nullptr;
    return ProjectedRows::serves(cell_, *lookup) ? lookup : nullptr;
  }

  // Projects `count` kept steps, beginning with packed row `packed`.
  void project(std::size_t packed, std::size_t count, float* projected) {
    const std::int32_t* source = plan_.source.data() + packed;
    if (lookup_ == nullptr) {
      cell_.project({x_, features_, source}, count, projected);
      return;
    }
    rows_.clear();
    for (std::size_t i = 0; i < count; ++i) rows_.push_back(lookup_->rows[at(source[i])]);
    ProjectedRows::project(cell_, *lookup_, rows_, projected);
  }

  // Returns the end of the block of steps that begins with `first`, and the number of its rows.
  [[nodiscard]] std::pair<std::size_t, std::size_t> block_from(std::size_t first) const {
    std::size_t rows = 0;
    std::size_t step = first;
    while (step < plan_.lanes.size() && (rows == 0 || rows < kProjectedRows)) {
      rows += at(plan_.lanes[step++]);
    }
    return {step, rows};
  }

  // Runs all steps. Returns the last outputs by lane, or null if no step is kept.
  const float* run_steps(float* out) {
    const std::size_t projected_width = cell_.projected_width();
    kernels::Floats projected;
    const float* last = nullptr;
    std::size_t packed = 0;
    for (std::size_t step = 0; step < plan_.lanes.size();) {
      const auto [end, rows] = block_from(step);
      projected.resize(std::max(projected.size(), (Count(rows) * projected_width).of<float>()));
      project(packed, rows, projected.data());
      float* gates = projected.data();
      for (; step < end; ++step) {
        const std::size_t lanes = at(plan_.lanes[step]);
        last = cell_.step(gates, lanes, state_rows_);
        if (options_.return_sequences) scatter(last, lanes, packed, out);
        gates += lanes * projected_width;
        packed += lanes;
      }
    }
    return last;
  }

  void scatter(const float* rows, std::size_t lanes, std::size_t packed, float* out) const {
    for (std::size_t lane = 0; lane < lanes; ++lane) {
      kernels::copy(rows + lane * width_, out + at(plan_.position[packed + lane]) * width_, width_);
    }
  }

  // Fills the masked positions of `out`, whose kept positions are complete.
  void fill_masked(float* out) const {
    for (std::size_t output = 0; output < plan_.target.size(); ++output) {
      float* const to = out + output * width_;
      const std::int32_t row = plan_.shown_row(output, options_.zero_output_for_mask);
      if (row < 0) {
        kernels::clear(to, width_);
      } else if (const std::size_t source = at(plan_.position[at(row)]); source != output) {
        kernels::copy(out + source * width_, to, width_);
      }
    }
  }

  // Writes the last output of each row of the batch. A lane that has ended still holds the output
  // of its last kept step.
  void store_last(const float* outputs, float* out) const {
    for (std::size_t lane = 0; lane < at(plan_.lanes.front()); ++lane) {
      const std::size_t row = at(plan_.order[lane]);
      const std::size_t last = (row + 1) * at(plan_.time) - 1;
      if (plan_.shown_row(last, options_.zero_output_for_mask) < 0) continue;
      kernels::copy(outputs + lane * width_, out + row * width_, width_);
    }
  }

  RnnCell& cell_;
  const SequencePlan& plan_;
  const RunOptions& options_;
  std::size_t features_;
  std::size_t width_;
  const Lookup* lookup_;
  const float* x_;
  std::vector<std::int32_t> rows_;
  std::vector<kernels::Floats> states_;
  std::vector<float*> state_rows_;
};

}  // namespace

RunResult run_cell(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                   const RunOptions& options, Frame& frame) {
  Run run(cell, x, plan, options);
  run.load_states(initial);
  RunResult result;
  result.output = run.compute_output(frame);
  result.states = run.final_states();
  return result;
}

void copy_to_lanes(const SequencePlan& plan, std::size_t width, const float* rows, float* lanes) {
  for (const std::int32_t row : plan.order) {
    kernels::copy(rows + at(row) * width, lanes, width);
    lanes += width;
  }
}

Tensor rows_of_lanes(const SequencePlan& plan, std::size_t width, const float* lanes) {
  Tensor result(DType::kFloat32, {plan.batch, static_cast<Dim>(width)});
  float* const rows = result.mutable_floats();
  for (const std::int32_t row : plan.order) {
    kernels::copy(lanes, rows + at(row) * width, width);
    lanes += width;
  }
  return result;
}

}  // namespace maskflow
