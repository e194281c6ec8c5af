// SPDX-License-Identifier: MIT
#include "rnn/stream_state.hpp"

#include <algorithm>
#include <optional>

#include "base/error.hpp"
#include "kernels/copy.hpp"
#include "rnn/cell_run.hpp"
#include "rnn/projected_rows.hpp"
#include "rnn/step_mask.hpp"

namespace maskflow {
Tensor& StreamState::slot(std::size_t n, const Shape& shape) {
  while (tensors_.size() <= n) tensors_.push_back(Tensor::zeros(DType::kFloat32, shape));
  return tensors_[n];
}

Tensor StreamState::with_past(const Tensor& x, Dim count) {
  const Dim batch = x.shape()[0];
  const Dim steps = x.shape()[1];
  Tensor& past = slot(0, {batch, count, x.shape()[2]});
  const std::size_t width = at(x.shape()[2]);
  const std::size_t past_size = at(count) * width;
  const std::size_t new_size = at(steps) * width;
  Tensor result(DType::kFloat32, {batch, count + steps, x.shape()[2]});
  moved_ = true;
  const float* from = x.floats();
  float* old = past.mutable_floats();
  float* to = result.mutable_floats();
  for (Dim row = 0; row < batch; ++row) {
    kernels::copy(old, to, past_size);
    kernels::copy(from, to + past_size, new_size);
    kernels::copy(to + new_size, old, past_size);
    old += past_size;
    from += new_size;
    to += past_size + new_size;
  }
  return result;
}

void StreamState::start(RnnCell& cell, Dim batch, const Tensors& given, Frame& frame) {
  const auto flag = [&] { return sizes_.size() + 1; };
  if (sizes_.empty() || (tensors_.size() > flag() && tensors_[flag()].floats()[0] == 0)) {
    const Tensors initial = given.empty() ? cell.initial_states(batch, frame) : given;
    batch_ = at(batch);
    sizes_ = cell.state_sizes();
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      Tensor& state = slot(s, {batch, static_cast<Dim>(sizes_[s])});
      if (s < initial.size()) {
        kernels::copy(initial[s].floats(), state.mutable_floats(), initial[s].size());
      }
    }
    static_cast<void>(slot(sizes_.size(), {batch, static_cast<Dim>(cell.output_size())}));
    if (!initial.empty()) slot(flag(), {1}).mutable_floats()[0] = 1;
  }
  states_.clear();
  for (std::size_t s = 0; s < sizes_.size(); ++s) states_.push_back(tensors_[s].mutable_floats());
}

void StreamState::project(RnnCell& cell, const Tensor& x, std::size_t first, std::size_t steps) {
  const std::size_t time = at(x.shape()[1]);
  const std::size_t rows = batch_ * steps;
  const Lookup* lookup = x.lookup();
  if (lookup != nullptr &&
      (lookup->table.width != at(x.shape()[2]) || !ProjectedRows::serves(cell, *lookup))) {
    lookup = nullptr;
  }
  index_.resize(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t row = i % batch_ * time + first + i / batch_;
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
  const float* output = cell.step(projected, {batch_}, states_);
  moved_ = true;
  kernels::copy(output, last_output().mutable_floats(), last_output().size());
}

void StreamState::step_kept(RnnCell& cell, float* projected) {
  const std::size_t lanes = kept_rows_.size();
  const std::size_t width = cell.projected_width();
  std::size_t total = 0;
  for (const std::size_t size : sizes_) total += size;
  packed_.resize(std::max(packed_.size(), (Count(lanes) * total).of<float>()));
  float* to = packed_.data();
  for (std::size_t s = 0; s < sizes_.size(); ++s) {
    const float* from = tensors_[s].floats();
    states_[s] = to;
    for (const std::int32_t row : kept_rows_) {
      kernels::copy(from + at(row) * sizes_[s], to, sizes_[s]);
      to += sizes_[s];
    }
  }
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t row = at(kept_rows_[lane]);
    if (row != lane) kernels::copy(projected + row * width, projected + lane * width, width);
  }
  const float* output = cell.step(projected, {lanes}, states_);
  moved_ = true;
  const std::size_t out = cell.output_size();
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const std::size_t row = at(kept_rows_[lane]);
    kernels::copy(output + lane * out, last_output().mutable_floats() + row * out, out);
    for (std::size_t s = 0; s < sizes_.size(); ++s) {
      kernels::copy(states_[s] + lane * sizes_[s], tensors_[s].mutable_floats() + row * sizes_[s],
                    sizes_[s]);
    }
  }
  for (std::size_t s = 0; s < sizes_.size(); ++s) states_[s] = tensors_[s].mutable_floats();
}

void StreamState::advance(RnnCell& cell, const Tensor& x, const MaskPtr& mask,
                          const Tensors& initial, const RunOptions& options, Frame& frame,
                          Tensor& output) {
  const std::size_t steps = at(x.shape()[1]);
  const Dim units = static_cast<Dim>(cell.output_size());
  start(cell, x.shape()[0], initial, frame);
  const StepMask step_mask(mask, batch_, steps);
  const std::size_t shown_steps = options.return_sequences ? steps : 1;
  if (output.size() != batch_ * shown_steps * at(units)) {
    output =
        Tensor(DType::kFloat32, options.return_sequences ? Shape{x.shape()[0], x.shape()[1], units}
                                                         : Shape{x.shape()[0], units});
  }
  float* const out = output.mutable_floats();
  const std::size_t block =
      std::max<std::size_t>(1, kProjectedRows / std::max<std::size_t>(1, batch_));
  std::optional<CellRun> run;
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t within = step % block;
    kept_rows_.clear();
    for (std::size_t row = 0; row < batch_; ++row) {
      if (step_mask.keeps(row, step)) kept_rows_.push_back(static_cast<std::int32_t>(row));
    }
    // Projects a block at its first step, even if all its steps are masked. A single masked step is
    // not projected.
    if (within == 0 && (!kept_rows_.empty() || steps > 1)) {
      project(cell, x, step, std::min(block, steps - step));
      run.emplace(cell, batch_, frame);
    }
    float* const projected = projected_.data() + within * batch_ * cell.projected_width();
    if (kept_rows_.size() == batch_) {
      step_all(cell, projected);
    } else if (!kept_rows_.empty()) {
      step_kept(cell, projected);
    }
    if (!options.return_sequences && step + 1 < steps) continue;
    const std::size_t shown_step = options.return_sequences ? step : 0;
    const float* from = last_output().floats();
    for (std::size_t row = 0; row < batch_; ++row, from += units) {
      float* const to = out + (row * shown_steps + shown_step) * at(units);
      if (options.zero_output_for_mask && !step_mask.keeps(row, step)) {
        kernels::clear(to, at(units));
      } else {
        kernels::copy(from, to, at(units));
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
  if (kv_cache_) kv_cache_->reserve(steps, layer);
}

void StreamState::check(const Tensors& tensors, const std::string& layer) const {
  if (kv_cache_) return kv_cache_->check(tensors, layer);
  const std::vector<Shape> shapes = shapes_of(tensors);
  const std::vector<Shape> expected = shapes_of(tensors_);
  const std::size_t count = std::min(shapes.size(), expected.size());
  for (std::size_t i = 0; i <= count; ++i) {
    if (i < count && shapes[i] == expected[i]) continue;
    if (i == count && shapes.size() == expected.size()) return;
    shape_error("the state of layer '", layer, "' has ", shapes.size(), " tensors but must have ",
                expected.size(), "; tensor ", i, " is ", i < count ? shapes[i] : Shape(),
                " but must be ", i < expected.size() ? expected[i] : Shape());
  }
}

void StreamState::set(const Tensors& tensors) {
  if (kv_cache_) return kv_cache_->set(tensors);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    tensors_[i] = Tensor::from<float>(tensors[i].shape(), tensors[i].data<float>());
  }
}

void StreamState::reset() {
  if (kv_cache_) kv_cache_->reset();
  for (Tensor& tensor : tensors_) kernels::clear(tensor.mutable_floats(), tensor.size());
}

}  // namespace maskflow
