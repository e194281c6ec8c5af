// SPDX-License-Identifier: MIT
#include "rnn/kv_cache.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/error.hpp"
#include "kernels/copy.hpp"
#include "rnn/layer_state.hpp"
#include "rnn/step_mask.hpp"

namespace maskflow {
namespace {

constexpr Dim kFirstCapacity = 16;

Dim row_size(const Tensor& tensor) { return tensor.shape().size_between(1, tensor.rank()); }
float* row(Tensor& tensor, Dim b) { return tensor.mutable_floats() + b * row_size(tensor); }
const float* row(const Tensor& tensor, Dim b) { return tensor.floats() + b * row_size(tensor); }

// Copies the first counts[b] entries of each row b. The rows of `to` may be longer.
void move_rows(const Tensor& from, Tensor& to, const std::vector<Dim>& counts) {
  for (std::size_t b = 0; b < counts.size(); ++b) {
    const auto r = static_cast<Dim>(b);
    kernels::copy(row(from, r), row(to, r), at(counts[b] * to.shape().back()));
  }
}

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

// Returns 0 if all numbers are finite, else NaN.
float zero_of(const float* numbers, Dim count) {
  float sum = 0;
  for (Dim i = 0; i < count; ++i) sum += numbers[i] * 0;
  return sum;
}

// Returns how many step numbers a row has: increasing integers up to `max`, followed by zeros.
// -1 for anything else.
Dim count_numbers(const float* numbers, Dim longest, float max) {
  Dim count = 0;
  float last = 0;
  while (count < longest && numbers[count] > last && numbers[count] <= max &&
         numbers[count] == std::floor(numbers[count])) {
    last = numbers[count++];
  }
  for (Dim i = count; i < longest; ++i) {
    if (numbers[i] != 0) return -1;
  }
  return count;
}

}  // namespace

KvCache* take_kv_cache(Frame& frame) {
  LayerState* const state = frame.take_state();
  return state == nullptr ? nullptr : &state->kv_cache();
}

void KvCache::open(Dim batch, const std::array<Dim, 3>& widths, Dim features) {
  for (std::size_t i = 0; i < 3; ++i) {
    rows_[i] = Tensor(DType::kFloat32, {batch, kFirstCapacity, widths[i]});
  }
  sums_ = Tensor::zeros(DType::kFloat32, {batch, features});
  finite_steps_.assign(at(batch), kMaxSteps);
  counts_.assign(at(batch), 0);
}

Dim KvCache::longest() const { return *std::ranges::max_element(counts_); }

void KvCache::grow(Dim capacity) {
  // Replaces all three tensors at once, because memory may run out in between.
  std::array<Tensor, 3> wider;
  for (std::size_t i = 0; i < 3; ++i) {
    const Shape& shape = rows_[i].shape();
    wider[i] = Tensor::zeros(DType::kFloat32, {shape[0], capacity, shape.back()});
    move_rows(rows_[i], wider[i], counts_);
  }
  rows_ = std::move(wider);
}

void KvCache::remove_old() {
  for (std::size_t b = 0; window_ > 0 && b < counts_.size(); ++b) {
    const float* const numbers = row(rows_[2], static_cast<Dim>(b));
    Dim old = 0;
    while (old < counts_[b] && static_cast<Dim>(numbers[old]) + window_ <= seen_ + 1) ++old;
    counts_[b] -= old;
    for (Tensor& rows : rows_) {
      const Dim width = rows.shape().back();
      float* const to = row(rows, static_cast<Dim>(b));
      std::copy_n(to + old * width, counts_[b] * width, to);
    }
  }
}

void KvCache::reserve(Dim steps, const std::string& layer) {
  if (counts_.empty()) return;
  if (longest() + steps > capacity()) remove_old();
  const Dim needed = longest() + steps;
  if (needed > kMaxKeys || seen_ + steps > kMaxSteps) {
    state_error("layer '", layer, "' keeps ", longest(), " of ", seen_,
                " steps of the stream and received ", steps, " more; the limit is ", kMaxKeys,
                " of ", kMaxSteps,
                ": call reset(), pass fewer steps at once, or set sliding_window, so that the "
                "layer forgets older steps");
  }
  if (needed > capacity()) grow(std::max(needed, std::min(2 * capacity(), kMaxKeys)));
}

void KvCache::append(const std::array<MaskPtr, 2>& masks, const Tensor& keys, const Tensor& values,
                     const Tensor& inputs, Dim window) {
  const Dim batch = inputs.shape()[0];
  const Dim steps = inputs.shape()[1];
  const Dim features = inputs.shape()[2];
  const StepMask first(masks[0], at(batch), at(steps));
  const StepMask second(masks[1], at(batch), at(steps));
  window_ = window;
  if (counts_.empty()) open(batch, {keys.shape().back(), values.shape().back(), 1}, features);
  // Grows here on the first call, before which reserve() did not know the sizes.
  if (longest() + steps > capacity()) grow(longest() + steps);
  const float* from = inputs.floats();
  for (Dim i = 0; i < batch * steps; ++i) {
    const Dim b = i / steps;
    const auto number = static_cast<float>(seen_ + i % steps + 1);
    const std::array<const float*, 3> sources{keys.floats() + i * keys.shape().back(),
                                              values.floats() + i * values.shape().back(), &number};
    const float zero =
        zero_of(sources[0], keys.shape().back()) + zero_of(sources[1], values.shape().back());
    float* const sum = row(sums_, b);
    for (Dim d = 0; d < features; ++d) sum[d] += *from++ + zero;
    if (zero != 0) finite_steps_[at(b)] = std::min(finite_steps_[at(b)], seen_ + i % steps);
    if (zero != 0 || !first.keeps(at(b), at(i % steps)) || !second.keeps(at(b), at(i % steps))) {
      continue;
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const Dim width = rows_[k].shape().back();
      kernels::copy(sources[k], row(rows_[k], b) + counts_[at(b)] * width, at(width));
    }
    ++counts_[at(b)];
  }
  seen_ += steps;
}

void KvCache::propagate_nan(Tensor& results) const {
  const Dim steps = results.shape()[1];
  const Dim width = results.shape().size_between(2, results.rank());
  for (std::size_t b = 0; b < finite_steps_.size(); ++b) {
    const Dim first = std::clamp<Dim>(finite_steps_[b] - (seen_ - steps), 0, steps);
    std::fill_n(row(results, static_cast<Dim>(b)) + first * width, (steps - first) * width, kNaN);
  }
}

Dim KvCache::seen_by_one(const MaskPtr& query_mask, Dim steps) const {
  if (counts_.size() != 1 || steps != 1 || window_ != 0) return 0;
  return StepMask(query_mask, 1, 1).keeps(0, 0) ? counts_[0] : 0;
}

Tensor KvCache::allowed(const MaskPtr& query_mask, Dim steps) const {
  const auto batch = static_cast<Dim>(counts_.size());
  const StepMask mask(query_mask, counts_.size(), at(steps));
  Tensor result = Tensor::zeros(DType::kBool, {batch, 1, steps, capacity()});
  std::uint8_t* to = result.mutable_data<std::uint8_t>().data();
  for (Dim i = 0; i < batch * steps; ++i, to += capacity()) {
    const Dim b = i / steps;
    const float* const numbers = row(rows_[2], b);
    const Dim query = seen_ - steps + i % steps + 1;
    for (Dim j = 0; mask.keeps(at(b), at(i % steps)) && j < counts_[at(b)]; ++j) {
      const auto number = static_cast<Dim>(numbers[j]);
      to[j] = number <= query && (window_ == 0 || number + window_ > query) ? 1 : 0;
    }
  }
  return result;
}

Tensor KvCache::spread(const Tensor& scores) const {
  Shape shape = scores.shape();
  shape.set(shape.rank() - 1, seen_);
  Tensor result = Tensor::zeros(DType::kFloat32, shape);
  const Dim lines = shape.size_between(1, shape.rank() - 1);
  const float* const from = scores.floats();
  float* const to = result.mutable_floats();
  for (Dim i = 0; i < lines * shape[0]; ++i) {
    const Dim b = i / lines;
    const float* const numbers = row(rows_[2], b);
    for (Dim j = 0; j < counts_[at(b)]; ++j) {
      to[i * seen_ + static_cast<Dim>(numbers[j]) - 1] = from[i * capacity() + j];
    }
  }
  return result;
}

Tensor KvCache::means() const {
  Tensor result = Tensor::from<float>(sums_.shape(), sums_.data<float>());
  for (float& x : result.mutable_data<float>()) x /= static_cast<float>(seen_);
  return result;
}

Tensors KvCache::tensors() const {
  Tensors result;
  for (const Tensor& rows : rows_) {
    result.push_back(
        Tensor::zeros(DType::kFloat32, {rows.shape()[0], longest(), rows.shape().back()}));
    move_rows(rows, result.back(), counts_);
  }
  result.push_back(Tensor::from<float>(sums_.shape(), sums_.data<float>()));
  result.push_back(Tensor::full(DType::kFloat32, {1}, static_cast<double>(seen_)));
  return result;
}

void KvCache::check(const Tensors& tensors, const std::string& layer) const {
  const Dim rows = tensors.empty() || tensors[0].rank() != 3 ? 0 : tensors[0].shape()[1];
  for (std::size_t i = 0; i < std::max<std::size_t>(5, tensors.size()); ++i) {
    Shape expected = i == 3 ? sums_.shape() : Shape{1};
    if (i < 3) expected = {sums_.shape()[0], rows, rows_[i].shape().back()};
    const Shape shape = i < tensors.size() ? tensors[i].shape() : Shape();
    if (i < 5 && shape == expected) continue;
    shape_error("the state of layer '", layer, "' has ", tensors.size(),
                " tensors but must have 5; tensor ", i, " is ", shape, " but must be ", expected);
  }
  const float steps = tensors[4].data<float>()[0];
  bool is_valid = rows <= kMaxKeys && steps >= 0 && steps <= static_cast<float>(kMaxSteps) &&
                  steps == std::floor(steps);
  for (Dim b = 0; is_valid && b < sums_.shape()[0]; ++b) {
    is_valid = count_numbers(row(tensors[2], b), rows, steps) >= 0;
  }
  if (is_valid) return;
  value_error("the state of layer '", layer, "' has ", rows, " kept of ", steps,
              " steps but must have at most ", kMaxKeys, " of ", kMaxSteps,
              "; their numbers (tensor 2) must be increasing integers, then zeros");
}

void KvCache::set(const Tensors& tensors) {
  const Dim rows = tensors[0].shape()[1];
  std::ranges::fill(counts_, 0);
  if (rows > capacity()) grow(rows);
  seen_ = static_cast<Dim>(tensors[4].data<float>()[0]);
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    counts_[b] = count_numbers(row(tensors[2], static_cast<Dim>(b)), rows, 1e9F);
  }
  for (std::size_t i = 0; i < 3; ++i) move_rows(tensors[i], rows_[i], counts_);
  sums_ = Tensor::from<float>(sums_.shape(), tensors[3].data<float>());
  for (std::size_t b = 0; b < counts_.size(); ++b) {
    const float zero = zero_of(row(sums_, static_cast<Dim>(b)), sums_.shape()[1]);
    finite_steps_[b] = zero != 0 ? 0 : kMaxSteps;
  }
}

void KvCache::reset() {
  seen_ = 0;
  std::ranges::fill(counts_, 0);
  std::ranges::fill(finite_steps_, kMaxSteps);
  kernels::clear(row(sums_, 0), sums_.size());
}

}  // namespace maskflow
