// SPDX-License-Identifier: MIT
#include "rnn/stream_state.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "kernels/copy.hpp"
#include "rnn/keep.hpp"
#include "rnn/projected_rows.hpp"

namespace maskflow {
namespace {

// As in run_cell(): steps are projected in blocks of about this many rows.
constexpr std::size_t kProjectedRows = 256;

float* floats(Tensor& tensor) { return tensor.mutable_floats(); }

}  // namespace

Tensor& StreamState::slot(std::size_t n, const Shape& shape) {
  while (tensors_.size() <= n) tensors_.push_back(Tensor::zeros(DType::kFloat32, shape));
  return tensors_[n];
}

Tensor StreamState::with_past(const Tensor& x, Dim count) {
  const Dim batch = x.shape()[0];
  const Dim steps = x.shape()[1];
  Tensor& past = slot(0, {batch, count, x.shape()[2]});
  const std::size_t width = at(x.shape()[2]);
  const std::size_t before = at(count) * width;
  const std::size_t now = at(steps) * width;
  Tensor result(DType::kFloat32, {batch, count + steps, x.shape()[2]});
  moved_ = true;
  const float* from = x.floats();
  float* old = floats(past);
  float* to = floats(result);
  for (Dim row = 0; row < batch; ++row) {
    kernels::copy(old, to, before);
    kernels::copy(from, to + before, now);
    kernels::copy(to + now, old, before);
    old += before;
    from += now;
    to += before + now;
  }
  return result;
}

void StreamState::start(const RnnCell& cell, Dim batch, const Tensors& initial) {
  if (sizes_.empty()) {
    std::vector<std::size_t> sizes = cell.state_sizes();
    batch_ = at(batch);
    for (std::size_t s = 0; s < sizes.size(); ++s) {
      static_cast<void>(slot(s, {batch, static_cast<Dim>(sizes[s])}));
    }
    static_cast<void>(slot(sizes.size(), {batch, static_cast<Dim>(cell.output_size())}));
    sizes_ = std::move(sizes);
  }
  if (!initial.empty()) {
    float& begun = floats(slot(sizes_.size() + 1, {1}))[0];
    for (std::size_t s = 0; begun == 0 && s < sizes_.size(); ++s) {
      kernels::copy(initial[s].floats(), floats(tensors_[s]), initial[s].size());
    }
    begun = 1;
  }
  states_.clear();
  for (std::size_t s = 0; s < sizes_.size(); ++s) states_.push_back(floats(tensors_[s]));
}

// Steps from `first` on, step after step with all rows of the batch.
void StreamState::project(RnnCell& cell, const Tensor& x, std::size_t first, std::size_t steps) {
  const std::size_t all = at(x.shape()[1]);
  const std::size_t rows = batch_ * steps;
  const Lookup* lookup = x.lookup();
  if (lookup != nullptr &&
      (lookup->table.width != at(x.shape()[2]) || !ProjectedRows::serves(cell, *lookup))) {
    lookup = nullptr;
  }
  index_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = i % batch_ * all + first + i / batch_;
    index_[i] = lookup == nullptr ? static_cast<std::int32_t>(row) : lookup->rows[row];
  }
  projected_.resize(
      std::max(projected_.size(), (Count(rows) * cell.projected_width()).of<float>()));
  if (lookup != nullptr) {
    ProjectedRows::project(cell, *lookup, index_, projected_.data());
  } else {
    cell.project({x.floats(), at(x.shape()[2]), index_.data()}, rows, projected_.data());
  }
}

void StreamState::step_all(RnnCell& cell, float* projected) {
  const float* output = cell.step(projected, batch_, states_);
  moved_ = true;
  kernels::copy(output, floats(held()), held().size());
}

// The kept rows move together, as the first lanes.
void StreamState::step_kept(RnnCell& cell, float* projected) {
  const std::size_t lanes = rows_.size();
  const std::size_t width = cell.projected_width();
  std::size_t total = 0;
  for (const std::size_t size : sizes_) total += size;
  packed_.resize(std::max(packed_.size(), (Count(lanes) * total).of<float>()));
  float* to = packed_.data();
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    const float* from = floats(tensors_[s]);
    states_[s] = to;
    for (const std::int32_t row : rows_) {
      kernels::copy(from + at(row) * sizes_[s], to, sizes_[s]);
      to += sizes_[s];
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t row = at(rows_[lane]);
    if (row != lane) kernels::copy(projected + row * width, projected + lane * width, width);
  }
  const float* output = cell.step(projected, lanes, states_);
  moved_ = true;
  const std::size_t out = cell.output_size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t row = at(rows_[lane]);
    kernels::copy(output + lane * out, floats(held()) + row * out, out);
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      kernels::copy(states_[s] + lane * sizes_[s], floats(tensors_[s]) + row * sizes_[s],
                    sizes_[s]);
    }
  }
  for (std::size_t s = 0; s < sizes_.size(); ++s) states_[s] = floats(tensors_[s]);
}

void StreamState::advance(RnnCell& cell, const Tensor& x, const MaskPtr& mask,
                          const Tensors& initial, const RunOptions& options, Frame& frame,
                          Tensor& output) {
  const std::size_t steps = at(x.shape()[1]);
  const Dim units = static_cast<Dim>(cell.output_size());
  start(cell, x.shape()[0], initial);
  const Keep keep(mask, batch_, steps);
  const std::size_t size = batch_ * at(units) * (options.return_sequences ? steps : 1);
  if (output.size() != size) {
    output =
        Tensor(DType::kFloat32, options.return_sequences ? Shape{x.shape()[0], x.shape()[1], units}
                                                         : Shape{x.shape()[0], units});
  }
  float* const out = floats(output);
  const std::size_t block =
      std::max<std::size_t>(1, kProjectedRows / std::max<std::size_t>(1, batch_));
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t within = step % block;
    rows_.clear();
    for (std::size_t row = 0; row < batch_; ++row) {
      if (keep(row, step)) rows_.push_back(static_cast<std::int32_t>(row));
    }
    // (A block of masked steps alone is projected for nothing; a single step is not.)
    if (within == 0 && (!rows_.empty() || steps > 1)) {
      project(cell, x, step, std::min(block, steps - step));
      cell.begin(batch_, frame);
    }
    float* const projected = projected_.data() + within * batch_ * cell.projected_width();
    if (rows_.size() == batch_) {
      step_all(cell, projected);
    } else if (!rows_.empty()) {
      step_kept(cell, projected);
    }
    if (!options.return_sequences && step + 1 < steps) continue;
    const std::size_t stride = options.return_sequences ? steps : 1;
    const float* last = floats(held());
    for (std::size_t row = 0; row < batch_; ++row) {
      float* const to = out + (row * stride + (options.return_sequences ? step : 0)) * at(units);
      if (options.zero_output_for_mask && !keep(row, step)) {
        kernels::clear(to, at(units));
      } else {
        kernels::copy(last + row * at(units), to, at(units));
      }
    }
  }
}

RunResult StreamState::run(RnnCell& cell, const Tensor& x, const MaskPtr& mask,
                           const Tensors& initial, const RunOptions& options, Frame& frame) {
  RunResult result;
  advance(cell, x, mask, initial, options, frame, result.output);
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    result.states.push_back(Tensor::from<float>(tensors_[s].shape(), tensors_[s].data<float>()));
  }
  return result;
}

void StreamState::reserve(Dim steps, const std::string& layer) {
  if (past_) past_->reserve(steps, layer);
}

void StreamState::check(const Tensors& tensors, const std::string& layer) const {
  if (past_) return past_->check(tensors, layer);
  const std::vector<Shape> given = shapes_of(tensors);
  const std::vector<Shape> wanted = shapes_of(tensors_);
  const std::size_t count = std::min(given.size(), wanted.size());
  for (std::size_t i = 0; i <= count; ++i) {
    if (i < count && given[i] == wanted[i]) continue;
    if (i == count && given.size() == wanted.size()) return;
    shape_error("the state of layer '", layer, "' has ", given.size(), " tensors where ",
                wanted.size(), " are needed; tensor ", i, " is ", i < count ? given[i] : Shape(),
                " and must be ", i < wanted.size() ? wanted[i] : Shape());
  }
}

void StreamState::set(const Tensors& tensors) {
  if (past_) return past_->set(tensors);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors_[i] = Tensor::from<float>(tensors[i].shape(), tensors[i].data<float>());
  }
}

void StreamState::reset() {
  if (past_) past_->reset();
  for (Tensor& tensor : tensors_) kernels::clear(floats(tensor), tensor.size());
}

}  // namespace maskflow
