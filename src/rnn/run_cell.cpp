// SPDX-License-Identifier: MIT
#include "rnn/run_cell.hpp"

#include <algorithm>

#include "kernels/copy.hpp"
#include "rnn/projected_rows.hpp"

namespace maskflow {
namespace {

// Kept steps are projected in blocks of about this many rows: enough for the matrix product to run
// at full speed, few enough to be still in the cache when the steps read them.
constexpr std::size_t kProjectedRows = 64;

class Run {
 public:
  Run(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const RunOptions& options)
      : cell_(cell),
        plan_(plan),
        options_(options),
        features_(at(plan.batch * plan.time) == 0 ? 0 : x.size() / at(plan.batch * plan.time)),
        width_(cell.output_size()),
        lookup_(lookup_of(x)),
        x_(lookup_ == nullptr ? x.floats() : nullptr) {}

  void load_states(const Tensors& initial) {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      states_.emplace_back((Count(plan_.batch) * sizes[s]).of<float>(), 0.0F);
      if (s < initial.size()) {
        const float* from = initial[s].floats();
        for (std::size_t lane = 0; lane < plan_.order.size(); ++lane) {
          kernels::copy(from + at(plan_.order[lane]) * sizes[s],
                        states_[s].data() + lane * sizes[s], sizes[s]);
        }
      }
    }
    for (auto& state : states_) state_rows_.push_back(state.data());
  }

  Tensor loop(Frame& frame) {
    const Dim units = static_cast<Dim>(width_);
    Tensor output = options_.return_sequences
                        ? Tensor(DType::kFloat32, {plan_.batch, plan_.time, units})
                        : Tensor::zeros(DType::kFloat32, {plan_.batch, units});
    float* out = output.mutable_floats();
    cell_.begin(at(plan_.batch), frame);
    const float* last = steps(out);
    if (options_.return_sequences) {
      fill_masked(out);
    } else if (last != nullptr) {
      store_last(last, out);
    }
    return output;
  }

  Tensors store_states() const {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    Tensors result;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      Tensor state(DType::kFloat32, {plan_.batch, static_cast<Dim>(sizes[s])});
      float* to = state.mutable_floats();
      for (std::size_t lane = 0; lane < plan_.order.size(); ++lane) {
        kernels::copy(states_[s].data() + lane * sizes[s], to + at(plan_.order[lane]) * sizes[s],
                      sizes[s]);
      }
      result.push_back(std::move(state));
    }
    return result;
  }

 private:
  // A lookup is used as one where a row of it is a step.
  [[nodiscard]] const Lookup* lookup_of(const Tensor& x) const {
    const Lookup* lookup = x.lookup();
    if (lookup == nullptr || lookup->table.width != features_) return nullptr;
    return ProjectedRows::serves(cell_, *lookup) ? lookup : nullptr;
  }

  // `count` kept steps from `packed` on.
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

  // Steps from `first` on that are projected together, and their rows.
  [[nodiscard]] std::pair<std::size_t, std::size_t> block(std::size_t first) const {
    std::size_t rows = 0;
    std::size_t step = first;
    while (step < plan_.lanes.size() && (rows == 0 || rows < kProjectedRows)) {
      rows += at(plan_.lanes[step++]);
    }
    return {step, rows};
  }

  const float* steps(float* out) {
    const std::size_t projected_width = cell_.projected_width();
    kernels::Floats projected;
    const float* last = nullptr;
    std::size_t packed = 0;
    for (std::size_t step = 0; step < plan_.lanes.size();) {
      const auto [end, rows] = block(step);
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

  void fill_masked(float* out) const {
    for (std::size_t position = 0; position < plan_.target.size(); ++position) {
      if (plan_.keeps(position)) continue;
      float* to = out + position * width_;
      const std::int32_t shown = plan_.target[position];
      if (shown < 0 || options_.zero_output_for_mask) {
        kernels::clear(to, width_);
      } else {
        kernels::copy(out + at(plan_.position[at(shown)]) * width_, to, width_);
      }
    }
  }

  // A lane that has ended still holds the output of its last kept step.
  void store_last(const float* rows, float* out) const {
    for (std::size_t lane = 0; lane < at(plan_.lanes.front()); ++lane) {
      const std::size_t row = at(plan_.order[lane]);
      const std::size_t final_position = (row + 1) * at(plan_.time) - 1;
      if (options_.zero_output_for_mask && !plan_.keeps(final_position)) continue;
      kernels::copy(rows + lane * width_, out + row * width_, width_);
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
  Run sequence(cell, x, plan, options);
  sequence.load_states(initial);
  RunResult result;
  result.output = sequence.loop(frame);
  result.states = sequence.store_states();
  return result;
}

}  // namespace maskflow
