// SPDX-License-Identifier: MIT
#include "rnn/run_cell_gradient.hpp"

#include <algorithm>
#include <utility>

#include "kernels/copy.hpp"
#include "kernels/scan.hpp"

namespace maskflow {
namespace {

// As in run_cell(): rows that are still in the cache when the steps read them.
constexpr std::size_t kProjectedRows = 64;

const float* numbers(const Tensor& tensor) { return tensor.floats(); }
float* numbers(Tensor& tensor) { return tensor.mutable_floats(); }

class RecordedRun {
 public:
  RecordedRun(RnnCell& cell, std::unique_ptr<CellGradient> gradient, Tensor x,
              const SequencePlan& plan, Tensors initial, const RunOptions& options)
      : gradient_(std::move(gradient)),
        x_(std::move(x)),
        plan_(plan),
        initial_(std::move(initial)),
        options_(options),
        features_(static_cast<std::size_t>(x_.shape().back())),
        states_(cell.state_sizes().size()) {
    history_.units = cell.output_size();
    history_.gate_width = cell.projected_width();
    history_.rows = at(plan_.rows());
    history_.first_lanes = plan_.lanes.empty() ? 0 : at(plan_.lanes.front());
    load_states();
  }

  RunResult forward(RnnCell& cell, Frame& frame) {
    RunHistory& past = history_;
    past.gates.resize((Count(past.rows) * past.gate_width).of<float>());
    past.kept.resize((Count(past.rows) * gradient_->kept_width()).of<float>());
    past.h.resize((Count(past.rows) * past.units).of<float>());
    number_rows();
    cell.begin(at(plan_.batch), frame);
    std::size_t projected = 0;
    for_each_step([&](const StepRows& step, std::size_t packed) {
      if (packed == projected) {
        const std::size_t count = block(packed);
        cell.project({numbers(x_), features_, plan_.source.data() + packed}, count, step.gates);
        projected += count;
      }
      gradient_->forward(step);
    });
    return {output(), states()};
  }

  // Of x, the initial states and the weights.
  Tensors backward(const Tensors& cotangents, const std::vector<bool>& needs) {
    const std::size_t width = history_.units;
    kernels::Floats dh(history_.rows * width, 0.0F);
    add_output(cotangents[0], dh.data());
    carry_.assign(at(plan_.batch) * width, 0.0F);
    second_.assign(states_ > 1 ? carry_.size() : 0, 0.0F);
    load_cotangent(cotangents, 1, carry_);
    if (states_ > 1) load_cotangent(cotangents, 2, second_);
    gradient_->begin_back();
    for_each_step_back([&](const StepRows& step, std::size_t packed) {
      const float* const own = dh.data() + packed * width;
      for (std::size_t i = 0; i < step.lanes * width; ++i) carry_[i] += own[i];
      gradient_->backward(step, carry_.data(), second_.data());
    });
    Tensors gradients;
    gradients.push_back(needs[0] ? of_input() : Tensor());
    for (std::size_t s = 0; s < initial_.size(); ++s) {
      gradients.push_back(of_state(s == 0 ? carry_ : second_));
    }
    for (Tensor& weight : of_weights()) gradients.push_back(std::move(weight));
    return gradients;
  }

 private:
  void load_states() {
    const std::size_t size = at(plan_.batch) * history_.units;
    history_.h_start.assign(size, 0.0F);
    history_.c_start.assign(states_ > 1 ? size : 0, 0.0F);
    for (std::size_t s = 0; s < initial_.size(); ++s) {
      kernels::Floats& to = s == 0 ? history_.h_start : history_.c_start;
      to_lanes(numbers(initial_[s]), to.data());
    }
    history_.starts_from_zeros = kernels::all_zero(history_.h_start.data(), size);
  }

  // Between rows of the batch and lanes.
  void to_lanes(const float* from, float* to) const {
    const std::size_t width = history_.units;
    for (std::size_t lane = 0; lane < plan_.order.size(); ++lane) {
      kernels::copy(from + at(plan_.order[lane]) * width, to + lane * width, width);
    }
  }
  [[nodiscard]] Tensor of_state(const kernels::Floats& lanes) const {
    const std::size_t width = history_.units;
    Tensor state(DType::kFloat32, {plan_.batch, static_cast<Dim>(width)});
    for (std::size_t lane = 0; lane < plan_.order.size(); ++lane) {
      kernels::copy(lanes.data() + lane * width, numbers(state) + at(plan_.order[lane]) * width,
                    width);
    }
    return state;
  }

  // Rows from `packed`, the first of a step, on that are projected together.
  [[nodiscard]] std::size_t block(std::size_t packed) const {
    std::size_t rows = 0;
    for (std::size_t step = step_; step < plan_.lanes.size(); ++step) {
      if (rows != 0 && rows >= kProjectedRows) break;
      rows += at(plan_.lanes[step]);
    }
    return std::min(rows, history_.rows - packed);
  }

  void number_rows() {
    history_.before.clear();
    std::size_t packed = history_.first_lanes;
    for (std::size_t step = 1; step < plan_.lanes.size(); ++step) {
      const std::int32_t ago = plan_.lanes[step - 1];
      for (std::int32_t lane = 0; lane < plan_.lanes[step]; ++lane, ++packed) {
        history_.before.push_back(static_cast<std::int32_t>(packed) - ago);
      }
    }
  }

  StepRows rows_of(std::size_t step, std::size_t packed) {
    RunHistory& past = history_;
    const std::size_t kept = gradient_->kept_width();
    StepRows rows{at(plan_.lanes[step]),
                  past.gates.data() + packed * past.gate_width,
                  past.kept.data() + packed * kept,
                  past.h.data() + packed * past.units,
                  past.h_start.data(),
                  past.c_start.data()};
    if (step > 0) {
      const std::size_t before = packed - at(plan_.lanes[step - 1]);
      rows.h_before = past.h.data() + before * past.units;
      rows.kept_before = past.kept.data() + before * kept;
    }
    return rows;
  }

  template <class F>
  void for_each_step(F&& f) {
    std::size_t packed = 0;
    for (step_ = 0; step_ < plan_.lanes.size(); ++step_) {
      f(rows_of(step_, packed), packed);
      packed += at(plan_.lanes[step_]);
    }
  }
  template <class F>
  void for_each_step_back(F&& f) {
    std::size_t packed = history_.rows;
    for (std::size_t step = plan_.lanes.size(); step-- > 0;) {
      packed -= at(plan_.lanes[step]);
      f(rows_of(step, packed), packed);
    }
  }

  // The packed row that an output position shows, or -1.
  [[nodiscard]] std::int32_t shown(std::size_t position) const {
    const bool zero = options_.zero_output_for_mask && !plan_.keeps(position);
    return zero ? -1 : plan_.target[position];
  }
  // f(row of the output, packed row that it shows or -1).
  template <class F>
  void for_each_output(F&& f) const {
    const std::size_t time = at(plan_.time);
    if (options_.return_sequences) {
      for (std::size_t i = 0; i < plan_.target.size(); ++i) f(i, shown(i));
    } else {
      for (std::size_t row = 0; row < at(plan_.batch); ++row) f(row, shown((row + 1) * time - 1));
    }
  }

  [[nodiscard]] Tensor output() const {
    const std::size_t width = history_.units;
    const Dim units = static_cast<Dim>(width);
    Tensor result(DType::kFloat32, options_.return_sequences ? Shape{plan_.batch, plan_.time, units}
                                                             : Shape{plan_.batch, units});
    float* const to = numbers(result);
    for_each_output([&](std::size_t row, std::int32_t packed) {
      if (packed < 0) {
        kernels::clear(to + row * width, width);
      } else {
        kernels::copy(history_.h.data() + at(packed) * width, to + row * width, width);
      }
    });
    return result;
  }

  void add_output(const Tensor& cotangent, float* dh) const {
    if (cotangent.empty_handle()) return;
    const std::size_t width = history_.units;
    const float* const from = numbers(cotangent);
    for_each_output([&](std::size_t row, std::int32_t packed) {
      if (packed < 0) return;
      float* const to = dh + at(packed) * width;
      for (std::size_t i = 0; i < width; ++i) to[i] += from[row * width + i];
    });
  }

  // The last states by lane: of the last packed row of each, or as it started.
  [[nodiscard]] Tensors states() const {
    const std::size_t width = history_.units;
    kernels::Floats h = history_.h_start;
    kernels::Floats c = history_.c_start;
    std::size_t packed = 0;
    for (std::size_t step = 0; step < plan_.lanes.size(); ++step) {
      const std::size_t lanes = at(plan_.lanes[step]);
      const std::size_t next = step + 1 < plan_.lanes.size() ? at(plan_.lanes[step + 1]) : 0;
      for (std::size_t lane = next; lane < lanes; ++lane) {
        const std::size_t row = (packed + lane) * width;
        kernels::copy(history_.h.data() + row, h.data() + lane * width, width);
        if (states_ > 1) kernels::copy(history_.kept.data() + row, c.data() + lane * width, width);
      }
      packed += lanes;
    }
    Tensors result{of_state(h)};
    if (states_ > 1) result.push_back(of_state(c));
    return result;
  }

  void load_cotangent(const Tensors& cotangents, std::size_t index, kernels::Floats& to) const {
    if (!cotangents[index].empty_handle()) to_lanes(numbers(cotangents[index]), to.data());
  }

  [[nodiscard]] Tensor of_input() const {
    Tensor gradient = Tensor::zeros(DType::kFloat32, x_.shape());
    const Tensor kernel = gradient_->weights()[0];
    kernels::Floats rows((Count(history_.rows) * features_).of<float>());
    kernels::multiply_transposed({history_.gates.data(), history_.gate_width}, history_.rows,
                                 numbers(kernel), features_, history_.gate_width, rows.data());
    for (std::size_t row = 0; row < history_.rows; ++row) {
      kernels::copy(rows.data() + row * features_,
                    numbers(gradient) + at(plan_.source[row]) * features_, features_);
    }
    return gradient;
  }

  [[nodiscard]] Tensors of_weights() const {
    Tensors gradients;
    for (const Tensor& weight : gradient_->weights()) {
      gradients.push_back(Tensor::zeros(DType::kFloat32, weight.shape()));
    }
    kernels::add_outer({numbers(x_), features_, plan_.source.data()},
                       {history_.gates.data(), history_.gate_width}, history_.rows, features_,
                       history_.gate_width, numbers(gradients[0]), history_.gate_width);
    gradient_->add_weights(history_, numbers(gradients[1]),
                           gradients.size() > 2 ? numbers(gradients[2]) : nullptr);
    return gradients;
  }

  std::unique_ptr<CellGradient> gradient_;
  Tensor x_;
  SequencePlan plan_;
  Tensors initial_;
  RunOptions options_;
  std::size_t features_;
  std::size_t states_;
  std::size_t step_ = 0;
  RunHistory history_;
  kernels::Floats carry_, second_;
};

bool all_finite(const kernels::Rows& rows, std::size_t count, std::size_t width) {
  for (std::size_t row = 0; row < count; ++row) {
    if (!kernels::all_finite(rows[row], width)) return false;
  }
  return true;
}

}  // namespace

void RunHistory::add_recurrent(const kernels::Rows& g, std::size_t n, float* to,
                               std::size_t stride) const {
  // (Zeros times what is not finite are NaN.)
  if (!starts_from_zeros || !all_finite(g, first_lanes, n)) {
    kernels::add_outer({h_start.data(), units}, g, first_lanes, units, n, to, stride);
  }
  const kernels::Rows later{g.base + first_lanes * g.stride, g.stride};
  kernels::add_outer({h.data(), units, before.data()}, later, before.size(), units, n, to, stride);
}

RunResult run_recorded(Tape& tape, RnnCell& cell, std::unique_ptr<CellGradient> gradient,
                       const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                       const RunOptions& options, Frame& frame) {
  Tensors inputs{x};
  inputs.insert(inputs.end(), initial.begin(), initial.end());
  const Tensors weights = gradient->weights();
  inputs.insert(inputs.end(), weights.begin(), weights.end());
  auto run = std::make_shared<RecordedRun>(cell, std::move(gradient), x, plan, initial, options);
  RunResult result = tape.apart([&] { return run->forward(cell, frame); });
  Tensors results{result.output};
  results.insert(results.end(), result.states.begin(), result.states.end());
  std::vector<bool> needs;
  for (const Tensor& input : inputs) needs.push_back(tape.tracks(input));
  tape.record(inputs, results,
              [run, needs](const Tensors& cotangents) { return run->backward(cotangents, needs); });
  return result;
}

}  // namespace maskflow
