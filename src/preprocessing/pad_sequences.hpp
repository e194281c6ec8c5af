// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tensor/tensor.hpp"

namespace maskflow {

struct PadOptions {
  std::optional<Dim> maxlen;       // null: the length of the longest sequence
  std::string padding = "pre";     // adds padding at the start ("pre") or the end ("post")
  std::string truncating = "pre";  // cuts long sequences at the start ("pre") or the end ("post")
};

// Keras's pad_sequences. `items`: the items of all sequences in order, [total, features...].
// `lengths`: the number of items of each sequence. `value`: the padding, one item or a scalar.
// Returns [sequences, maxlen, features...]. As in Keras, the options padding and truncating are
// checked only if a sequence is not empty.
[[nodiscard]] Tensor pad_sequences(const Tensor& items, std::span<const Dim> lengths,
                                   const PadOptions& options, const Tensor& value);

}  // namespace maskflow
