// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tensor/tensor.hpp"

namespace maskflow {

struct PadOptions {
  std::optional<Dim> maxlen;       // null: the longest sequence
  std::string padding = "pre";     // where the padding goes
  std::string truncating = "pre";  // where a sequence that is too long is cut
};

// Keras's pad_sequences. `items`: the items of all sequences one after the other, [total,
// features...]; `lengths`: items per sequence; `value`: one item, or a number for all of it. Result
// [sequences, maxlen, features...]. As in Keras, padding and truncating are checked at the first
// sequence that is not empty.
[[nodiscard]] Tensor pad_sequences(const Tensor& items, std::span<const Dim> lengths,
                                   const PadOptions& options, const Tensor& value);

}  // namespace maskflow
