// SPDX-License-Identifier: MIT
#include "rnn/stream_past.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/error.hpp"
#include "kernels/copy.hpp"

namespace maskflow {
namespace {

constexpr std::size_t kFirstCapacity = 16;

Dim dim(std::size_t n) { return static_cast<Dim>(n); }

float* floats(Tensor& tensor) { return tensor.mutable_data<float>().data(); }

Tensor floats_of(std::size_t batch, std::size_t steps, std::size_t width) {
  return {DType::kFloat32, {dim(batch), dim(steps), dim(width)}};
}

// The first counts[b] rows of each b, where `from` has room for `room` of them and `to` for `into`.
void move_rows(const Tensor& source, std::size_t room, Tensor& target, std::size_t into,
               const std::vector<std::size_t>& counts) {
  const auto width = static_cast<std::size_t>(source.shape().back());
  const float* from = source.data<float>().data();
  float* to = floats(target);
  for (std::size_t b = 0; b < counts.size(); ++b) {
    kernels::copy(from + b * room * width, to + b * into * width, counts[b] * width);
  }
}

// How many steps ago the keys of a row were: from the first on, whole numbers that fall, then
// zeros.
std::size_t count_ages(const float* ages, std::size_t longest, float most) {
  std::size_t count = 0;
  float before = most + 1;
  while (count < longest && ages[count] > 0 && ages[count] < before &&
         ages[count] == std::floor(ages[count])) {
    before = ages[count++];
  }
  const bool rest = std::all_of(ages + count, ages + longest, [](float x) { return x == 0; });
  return rest ? count : longest + 1;
}

}  // namespace

void StreamPast::open(std::size_t batch, const Widths& widths, std::size_t window) {
  if (batch_ != 0) return;
  widths_ = widths;
  window_ = window;
  sums_ = Tensor::zeros(DType::kFloat32, {dim(batch), dim(widths.features)});
  counts_.assign(batch, 0);
  batch_ = batch;
  grow(kFirstCapacity);
}

std::size_t StreamPast::longest() const { return *std::ranges::max_element(counts_); }

const float* StreamPast::keys(std::size_t b) const {
  return keys_.data<float>().data() + b * capacity_ * widths_.key;
}

const float* StreamPast::values(std::size_t b) const {
  return values_.data<float>().data() + b * capacity_ * widths_.value;
}

void StreamPast::grow(std::size_t capacity) {
  Tensor keys = floats_of(batch_, capacity, widths_.key);
  Tensor values = floats_of(batch_, capacity, widths_.value);
  std::vector<std::size_t> places(batch_ * capacity);
  if (capacity_ > 0) {
    move_rows(keys_, capacity_, keys, capacity, counts_);
    move_rows(values_, capacity_, values, capacity, counts_);
  }
  for (std::size_t b = 0; b < batch_; ++b) {
    std::copy_n(places_.begin() + static_cast<std::ptrdiff_t>(b * capacity_), counts_[b],
                places.begin() + static_cast<std::ptrdiff_t>(b * capacity));
  }
  keys_ = std::move(keys);
  values_ = std::move(values);
  places_ = std::move(places);
  capacity_ = capacity;
}

// Keys that are out of the window of all steps to come.
void StreamPast::forget() {
  if (window_ == 0) return;
  for (std::size_t b = 0; b < batch_; ++b) {
    const auto first = places_.begin() + static_cast<std::ptrdiff_t>(b * capacity_);
    const auto last = first + static_cast<std::ptrdiff_t>(counts_[b]);
    const auto kept =
        std::find_if(first, last, [&](std::size_t at) { return at + window_ > seen_; });
    const auto gone = static_cast<std::size_t>(kept - first);
    if (gone == 0) continue;
    counts_[b] -= gone;
    std::copy(kept, last, first);
    float* const key = floats(keys_) + b * capacity_ * widths_.key;
    float* const value = floats(values_) + b * capacity_ * widths_.value;
    std::copy_n(key + gone * widths_.key, counts_[b] * widths_.key, key);
    std::copy_n(value + gone * widths_.value, counts_[b] * widths_.value, value);
  }
}

void StreamPast::reserve(std::size_t steps, const std::string& layer) {
  if (batch_ == 0 || longest() + steps <= capacity_) return;
  forget();
  const std::size_t needed = longest() + steps;
  if (needed > kMostKeys) {
    state_error("layer '", layer, "' keeps ", longest(), " steps of the stream and was given ",
                steps, " more, but at most ", kMostKeys,
                " are kept; call reset(), give fewer steps at once, or give the layer a "
                "sliding_window, beyond which it forgets");
  }
  if (needed > capacity_) grow(std::max(needed, std::min(2 * capacity_, kMostKeys)));
}

void StreamPast::append(std::span<const std::uint8_t> kept, const kernels::Rows& keys,
                        const kernels::Rows& values, const float* x) {
  const std::size_t steps = kept.size() / batch_;
  // (Only the very first call has not reserved.)
  if (longest() + steps > capacity_) grow(longest() + steps);
  std::size_t row = 0;
  for (std::size_t b = 0; b < batch_; ++b) {
    float* const sum = floats(sums_) + b * widths_.features;
    for (std::size_t t = 0; t < steps; ++t) {
      for (std::size_t d = 0; d < widths_.features; ++d) sum[d] += *x++;
      if (kept[b * steps + t] == 0) continue;
      const std::size_t at = b * capacity_ + counts_[b]++;
      kernels::copy(keys[row], floats(keys_) + at * widths_.key, widths_.key);
      kernels::copy(values[row], floats(values_) + at * widths_.value, widths_.value);
      places_[at] = seen_ + t;
      ++row;
    }
  }
  seen_ += steps;
}

Tensor StreamPast::means() const {
  Tensor result = Tensor::zeros(DType::kFloat32, sums_.shape());
  const auto steps = static_cast<float>(seen_);
  std::ranges::transform(sums_.data<float>(), result.mutable_data<float>().begin(),
                         [&](float sum) { return sum / steps; });
  return result;
}

Tensors StreamPast::tensors() const {
  const std::size_t rows = longest();
  Tensors result{Tensor::zeros(DType::kFloat32, {dim(batch_), dim(rows), dim(widths_.key)}),
                 Tensor::zeros(DType::kFloat32, {dim(batch_), dim(rows), dim(widths_.value)}),
                 Tensor::zeros(DType::kFloat32, {dim(batch_), dim(rows)}),
                 Tensor::from<float>(sums_.shape(), sums_.data<float>()),
                 Tensor::full(DType::kFloat32, {1}, static_cast<double>(seen_))};
  move_rows(keys_, capacity_, result[0], rows, counts_);
  move_rows(values_, capacity_, result[1], rows, counts_);
  for (std::size_t b = 0; b < batch_; ++b) {
    float* const ages = floats(result[2]) + b * rows;
    for (std::size_t i = 0; i < counts_[b]; ++i) {
      ages[i] = static_cast<float>(seen_ - places_[b * capacity_ + i]);
    }
  }
  return result;
}

void StreamPast::check(const Tensors& tensors, const std::string& layer) const {
  const Dim rows = tensors.empty() || tensors[0].rank() != 3 ? 0 : tensors[0].shape()[1];
  const std::array<Shape, 5> wanted{Shape{dim(batch_), rows, dim(widths_.key)},
                                    Shape{dim(batch_), rows, dim(widths_.value)},
                                    Shape{dim(batch_), rows}, sums_.shape(), Shape{1}};
  std::size_t fit = 0;
  while (fit < wanted.size() && fit < tensors.size() && tensors[fit].shape() == wanted[fit]) ++fit;
  if (fit < wanted.size() || tensors.size() != wanted.size()) {
    shape_error("the state of layer '", layer, "' has ", tensors.size(), " tensors where ",
                wanted.size(), " are needed; tensor ", fit, " is ",
                fit < tensors.size() ? tensors[fit].shape() : Shape(), " and must be ",
                fit < wanted.size() ? wanted[fit] : Shape(), ", of as many steps as were kept");
  }
  if (static_cast<std::size_t>(rows) > kMostKeys) {
    state_error("the state of layer '", layer, "' has ", rows, " steps, but at most ", kMostKeys,
                " are kept; give the layer a sliding_window, beyond which it forgets");
  }
  const float steps = tensors[4].data<float>()[0];
  if (!(steps >= 0 && steps < 1e15F && steps == std::floor(steps))) {
    value_error("the state of layer '", layer, "' was taken after ", steps,
                " steps, which must be a whole number, at least 0");
  }
  for (Dim b = 0; b < dim(batch_); ++b) {
    const auto longest = static_cast<std::size_t>(rows);
    if (count_ages(tensors[2].data<float>().data() + b * rows, longest, steps) <= longest) continue;
    value_error("the state of layer '", layer, "' does not say how many steps ago the keys of row ",
                b, " were: tensor 2 must have whole numbers of at most ", steps,
                " that fall along the row, and zeros behind");
  }
}

void StreamPast::set(const Tensors& tensors) {
  const auto rows = static_cast<std::size_t>(tensors[0].shape()[1]);
  std::ranges::fill(counts_, 0);
  if (rows > capacity_) grow(rows);
  seen_ = static_cast<std::size_t>(tensors[4].data<float>()[0]);
  for (std::size_t b = 0; b < batch_; ++b) {
    const float* const ages = tensors[2].data<float>().data() + b * rows;
    counts_[b] = count_ages(ages, rows, tensors[4].data<float>()[0]);
    for (std::size_t i = 0; i < counts_[b]; ++i) {
      places_[b * capacity_ + i] = seen_ - static_cast<std::size_t>(ages[i]);
    }
  }
  move_rows(tensors[0], rows, keys_, capacity_, counts_);
  move_rows(tensors[1], rows, values_, capacity_, counts_);
  sums_ = Tensor::from<float>(sums_.shape(), tensors[3].data<float>());
}

void StreamPast::reset() {
  seen_ = 0;
  std::ranges::fill(counts_, 0);
  kernels::clear(floats(sums_), sums_.size());
}

}  // namespace maskflow
