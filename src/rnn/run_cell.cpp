// SPDX-License-Identifier: MIT
#include "rnn/run_cell.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "kernels/copy.hpp"
#include "kernels/team.hpp"
#include "rnn/cell_run.hpp"
#include "rnn/lane_ranges.hpp"
#include "rnn/projected_rows.hpp"

namespace maskflow {
namespace {

// Returns the multiply-adds of a kept step.
kernels::Work multiply_adds(const RnnCell& cell, std::size_t features) {
  return kernels::Work{cell.output_size() + features} * cell.projected_width();
}

std::size_t features_of(const Tensor& x, const SequencePlan& plan) {
  const std::size_t steps = at(plan.batch * plan.time);
  return steps == 0 ? 0 : x.size() / steps;
}

class Run {
 public:
  Run(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const RunOptions& options)
      : cell_(cell),
        plan_(plan),
        options_(options),
        features_(features_of(x, plan)),
        width_(cell.output_size()),
        lookup_(usable_lookup(x)),
        x_(lookup_ == nullptr ? x.floats() : nullptr),
        sources_(plan.source.data()) {}

  void load_states(const Tensors& initial) {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    std::vector<std::size_t> begins(sizes.size());
    Count total = 0;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      begins[s] = total.of<float>();
      // Each state begins at a cache line of 16 floats.
      const Count floats = Count(plan_.batch) * sizes[s];
      total = total + Count((floats.value() + 15) / 16) * 16;
    }
    states_.assign(total.of<float>(), 0.0F);
    state_rows_.resize(sizes.size());
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      state_rows_[s] = states_.data() + begins[s];
      if (s < initial.size()) {
        copy_to_lanes(plan_, sizes[s], initial[s].floats(), state_rows_[s]);
      }
    }
  }

  [[nodiscard]] Tensor compute_output(Frame& frame) {
    Tensor output = new_output();
    float* out = output.mutable_floats();
    const CellRun run(cell_, at(plan_.batch), frame);
    complete(run_steps(out), out);
    return output;
  }

  [[nodiscard]] Tensor new_output() const {
    const Dim units = static_cast<Dim>(width_);
    return options_.return_sequences ? Tensor(DType::kFloat32, {plan_.batch, plan_.time, units})
                                     : Tensor::zeros(DType::kFloat32, {plan_.batch, units});
  }

  // Computes the output from the outputs of kept steps. `last` has the last ones by lane; null if
  // no step is kept.
  void complete(const float* last, float* out) const {
    if (options_.return_sequences) {
      fill_masked(out);
    } else if (last != nullptr) {
      store_last(last, out);
    }
  }

  // The lanes that one thread runs, and its buffers for a block of steps.
  struct Part {
    LaneRange lanes;
    kernels::Floats projected;
    std::vector<std::int32_t> rows;
  };

  // Prepares what all parts read, some of it in `sources`, which must outlive them. Runs the first
  // step, which packs the weights and may allocate. Returns the address of the last outputs by
  // lane.
  const float* begin_parts(float* out, std::vector<std::int32_t>& sources) {
    project_ahead(sources);
    Part start = part_of({0, at(plan_.batch)});
    return run_part(start, {}, 1, out);
  }

  // Returns the parts of this run, which shares the threads with others if `runs` is not 1.
  [[nodiscard]] std::vector<Part> parts_among(std::size_t runs) const {
    return parts_of(ranges(runs));
  }

  // Runs all steps of a part but the first one.
  void run_rest(Part& part, float* out) {
    run_part(part, {1, at(plan_.lanes.front())}, plan_.lanes.size(), out);
  }

  [[nodiscard]] Tensors final_states() const {
    const std::vector<std::size_t> sizes = cell_.state_sizes();
    Tensors result;
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      result.push_back(rows_of_lanes(plan_, sizes[s], state_rows_[s]));
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

  // A step, and the number of packed rows before it.
  struct Place {
    std::size_t step = 0;
    std::size_t packed = 0;
  };

  [[nodiscard]] Part part_of(const LaneRange& lanes) const {
    const std::size_t rows = std::min(at(plan_.rows()), kProjectedRows + lanes.end - lanes.first);
    Part part{lanes, {}, std::vector<std::int32_t>(rows)};
    if (!is_projected_) part.projected.resize((Count(rows) * cell_.projected_width()).of<float>());
    return part;
  }

  // Projects the steps of a part from `place` on until a block is full. Returns the end of the
  // block.
  std::size_t project(Part& part, Place place, std::size_t end) {
    std::size_t count = 0;
    for (; place.step < end && count < kProjectedRows; ++place.step) {
      const std::size_t lanes = at(plan_.lanes[place.step]);
      const std::int32_t* source = sources_ + place.packed + part.lanes.first;
      const bool is_found = lookup_ == nullptr || known_ != nullptr;
      for (const std::size_t last = count + part.lanes.alive(lanes); count < last; ++source) {
        part.rows[count++] = is_found ? *source : lookup_->rows[at(*source)];
      }
      place.packed += lanes;
    }
    const std::span<const std::int32_t> rows(part.rows.data(), count);
    if (lookup_ == nullptr) {
      cell_.project({x_, features_, rows.data()}, count, part.projected.data());
    } else if (known_ == nullptr) {
      ProjectedRows::project(cell_, *lookup_, rows, part.projected.data());
    } else {
      known_->copy(rows, cell_.projected_width(), part.projected.data());
    }
    return place.step;
  }

  // Runs the steps of a part from `place` to `end`. Returns the last outputs by lane.
  const float* run_part(Part& part, Place place, std::size_t end, float* out) {
    const std::size_t projected_width = is_projected_ ? 0 : cell_.projected_width();
    const std::size_t first = part.lanes.first;
    const float* last = nullptr;
    while (place.step < end) {
      const std::size_t block_end = is_projected_ ? end : project(part, place, end);
      float* gates = part.projected.data();
      for (; place.step < block_end; ++place.step) {
        const std::size_t lanes = at(plan_.lanes[place.step]);
        const std::size_t alive = part.lanes.alive(lanes);
        if (alive == 0) return last;
        const std::size_t row = place.packed + first;
        const std::size_t before = place.step == 0 ? 0 : at(plan_.lanes[place.step - 1]);
        last = cell_.step(gates, {alive, first, row, before}, state_rows_);
        if (options_.return_sequences) scatter(last + first * width_, alive, row, out);
        gates += alive * projected_width;
        place.packed += lanes;
      }
    }
    return last;
  }

  // Runs all steps. Returns the last outputs by lane, or null if no step is kept.
  const float* run_steps(float* out) {
    if (kernels::team_size() > 1 && cell_.runs_in_parts()) {
      const std::vector<LaneRange> lanes = ranges(1);
      if (lanes.size() > 1) return run_in_parts(lanes, out);
    }
    Part part = part_of({0, at(plan_.batch)});
    return run_part(part, {}, plan_.lanes.size(), out);
  }

  const float* run_in_parts(const std::vector<LaneRange>& lanes, float* out) {
    std::vector<std::int32_t> sources;
    const float* const last = begin_parts(out, sources);
    std::vector<Part> parts = parts_of(lanes);
    kernels::parallel(static_cast<int>(parts.size()),
                      [&](int part, int /*member*/) { run_rest(parts[at(part)], out); });
    return last;
  }

  [[nodiscard]] std::vector<LaneRange> ranges(std::size_t runs) const {
    return lane_ranges(plan_, multiply_adds(cell_, features_), runs);
  }

  [[nodiscard]] std::vector<Part> parts_of(const std::vector<LaneRange>& lanes) const {
    std::vector<Part> parts;
    for (const LaneRange& range : lanes) parts.push_back(part_of(range));
    return parts;
  }

  // Prepares projections that parts only read. Writes the rows of the table to `sources`.
  void project_ahead(std::vector<std::int32_t>& sources) {
    if (lookup_ == nullptr) {
      is_projected_ = cell_.project_all({x_, features_, plan_.source.data()});
      return;
    }
    for (const std::int32_t source : plan_.source) sources.push_back(lookup_->rows[at(source)]);
    known_ = &ProjectedRows::prepare(cell_, *lookup_, sources);
    sources_ = sources.data();
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
  const ProjectedRows* known_ = nullptr;  // in a run in parts, all projections of the lookup
  const std::int32_t* sources_;           // by packed row: the row of x, then that of the table
  bool is_projected_ = false;             // the cell keeps the projections of all steps
  kernels::Floats states_;                // One after the other.
  std::vector<float*> state_rows_;
};

// Whether threads share the run, and its result has no states, which would be read before finish().
bool may_wait(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const RunOptions& options) {
  return cell.runs_in_parts() && !options.final_states && CellRun::may_begin(cell) &&
         shares_lanes(plan, multiply_adds(cell, features_of(x, plan)));
}

}  // namespace

// A run after its first step, with what its other steps use.
class WaitingRun {
 public:
  WaitingRun(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
             const RunOptions& options, Frame& frame)
      : x_(x), plan_(plan), options_(options), run_(cell, x_, plan_, options_) {
    run_.load_states(initial);
    output_ = run_.new_output();
    out_ = output_.mutable_floats();
    lives_.emplace(cell, at(plan_.batch), frame);
    last_ = run_.begin_parts(out_, sources_);
  }

  [[nodiscard]] const Tensor& output() const { return output_; }
  // Creates the parts of one of `runs` runs. Returns their number.
  std::size_t divide(std::size_t runs) {
    parts_ = run_.parts_among(runs);
    return parts();
  }
  [[nodiscard]] std::size_t parts() const { return parts_.size(); }
  void run_rest(std::size_t part) { run_.run_rest(parts_[part], out_); }
  void complete() const { run_.complete(last_, out_); }

 private:
  Tensor x_;
  SequencePlan plan_;
  RunOptions options_;
  Run run_;
  std::vector<std::int32_t> sources_;
  std::vector<Run::Part> parts_;
  std::optional<CellRun> lives_;
  Tensor output_;
  float* out_ = nullptr;
  const float* last_ = nullptr;
};

RunsTogether::RunsTogether() = default;
RunsTogether::~RunsTogether() = default;

Tensor RunsTogether::begin(RnnCell& cell, const Tensor& x, const SequencePlan& plan,
                           const Tensors& initial, const RunOptions& options, Frame& frame) {
  runs_.push_back(std::make_unique<WaitingRun>(cell, x, plan, initial, options, frame));
  return runs_.back()->output();
}

void RunsTogether::finish() {
  const std::vector<std::unique_ptr<WaitingRun>> runs = std::exchange(runs_, {});
  // Parts of all runs, in turns, because the first parts of each are the longest.
  std::vector<std::pair<std::size_t, WaitingRun*>> parts;
  std::size_t most = 0;
  for (const auto& run : runs) most = std::max(most, run->divide(runs.size()));
  for (std::size_t part = 0; part < most; ++part) {
    for (const auto& run : runs) {
      if (part < run->parts()) parts.emplace_back(part, run.get());
    }
  }
  kernels::parallel(static_cast<int>(parts.size()), [&](int i, int /*member*/) {
    const auto& [part, run] = parts[at(i)];
    run->run_rest(part);
  });
  for (const auto& run : runs) run->complete();
}

Shape with_rows(Shape shape, Dim rows) {
  shape.insert(0, rows);
  return shape;
}

std::vector<Shape> RnnCell::state_shapes() const {
  std::vector<Shape> shapes;
  for (const std::size_t size : state_sizes()) shapes.push_back({static_cast<Dim>(size)});
  return shapes;
}

Tensors RnnCell::layer_step(const Tensor& /*x*/, const Tensors& /*states*/, Frame& /*frame*/) {
  return {};
}

RunResult run_cell(RnnCell& cell, const Tensor& x, const SequencePlan& plan, const Tensors& initial,
                   const RunOptions& options, Frame& frame) {
  RunResult result;
  if (kernels::team_size() > 1 && options.together != nullptr) {
    if (may_wait(cell, x, plan, options)) {
      result.output = options.together->begin(cell, x, plan, initial, options, frame);
      return result;
    }
    // This run may read x in another way, or use a cell of a run that waits.
    options.together->finish();
  }
  Run run(cell, x, plan, options);
  run.load_states(initial);
  result.output = run.compute_output(frame);
  if (options.final_states) result.states = run.final_states();
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
