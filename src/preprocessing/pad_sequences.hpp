// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tensor/tensor.hpp"

namespace maskflow {

struct PadOptions {
  // Length of the result; null means the length of the longest sequence.
  std::optional<Dim> maxlen;
  // Whether padding is added at the start ("pre") or the end ("post").
  std::string padding = "pre";
  // Whether long sequences are cut at the start ("pre") or the end ("post").
  std::string truncating = "pre";
};

// Pads sequences as Keras's pad_sequences does. `items` are the items of all sequences in order,
// [total, features...]. `lengths` has the number of items of each sequence. `value` is the padding,
// one item or a scalar. Returns [sequences, maxlen, features...]. As in Keras, the options padding
// and truncating are checked only if a sequence is not empty.
[[nodiscard]] Tensor pad_sequences(const Tensor& items, std::span<const Dim> lengths,
                                   const PadOptions& options, const Tensor& value);

}  // namespace maskflow
