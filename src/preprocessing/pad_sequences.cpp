// SPDX-License-Identifier: MIT
#include "preprocessing/pad_sequences.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "base/error.hpp"

namespace maskflow {
namespace {

bool is_pre(const std::string& side, const char* option) {
  if (side != "pre" && side != "post") {
    value_error("'", option, "' is '", side, "' but must be 'pre' or 'post'");
  }
  return side == "pre";
}

Dim width_of(std::span<const Dim> lengths, const PadOptions& options) {
  if (options.maxlen) {
    if (*options.maxlen < 0) value_error("maxlen is ", *options.maxlen, " but must be at least 0");
    return *options.maxlen;
  }
  if (lengths.empty()) value_error("there are no sequences to measure; set maxlen");
  return *std::ranges::max_element(lengths);
}

// Creates a result that is filled with the padding value.
Tensor filled(const Tensor& value, Dim rows, Dim width, const Shape& features) {
  Shape shape{rows, width};
  for (const Dim dim : features.dims()) shape.push_back(dim);
  Tensor result(value.dtype(), shape);
  const std::size_t item = value.bytes();
  if (item == 0) return result;
  for (std::size_t offset = 0; offset < result.bytes(); offset += item)
    std::memcpy(result.mutable_raw() + offset, value.raw(), item);
  return result;
}

}  // namespace

Tensor pad_sequences(const Tensor& items, std::span<const Dim> lengths, const PadOptions& options,
                     const Tensor& value) {
  const Dim width = width_of(lengths, options);
  const Shape features = items.shape().from(1);
  if (value.rank() != 0 && value.shape() != features) {
    shape_error("the padding value has shape ", value.shape(), " but one item has ", features);
  }
  if (value.dtype() != items.dtype()) {
    value_error("the padding value is ", value.dtype(), " but the items are ", items.dtype());
  }
  const Dim total = std::accumulate(lengths.begin(), lengths.end(), Dim{0});
  if (total != items.shape()[0]) {
    shape_error("the lengths add up to ", total, " but there are ", items.shape()[0], " items");
  }
  Tensor result = filled(value, static_cast<Dim>(lengths.size()), width, features);
  const auto item = static_cast<std::size_t>(features.size()) * size_of(items.dtype());
  const std::byte* from = items.raw();
  std::byte* const to = result.mutable_raw();
  for (std::size_t row = 0; row < lengths.size(); ++row) {
    const Dim length = lengths[row];
    if (length == 0) continue;
    const bool cut_front = is_pre(options.truncating, "truncating");
    const bool pad_front = is_pre(options.padding, "padding");
    // Keras slices [-0:] here, which is the whole sequence, so the shapes do not fit.
    if (width == 0 && cut_front) {
      value_error("maxlen 0 with truncating 'pre' is an error in Keras; use truncating 'post'");
    }
    const Dim kept = std::min(length, width);
    const Dim first = cut_front ? length - kept : 0;
    const Dim start = pad_front ? width - kept : 0;
    std::memcpy(
        to + (row * static_cast<std::size_t>(width) + static_cast<std::size_t>(start)) * item,
        from + static_cast<std::size_t>(first) * item, static_cast<std::size_t>(kept) * item);
    from += static_cast<std::size_t>(length) * item;
  }
  return result;
}

}  // namespace maskflow
