// SPDX-License-Identifier: MIT
// Decides from its call whether an attention layer can take part in a stream.
#pragma once

#include <string_view>

#include "model/stream.hpp"

namespace maskflow {

// Throws UnsupportedError, which names the layer or op.
[[noreturn]] void refuse_in_stream(const Operation& operation, std::string_view reason,
                                   std::string_view remedy = "call predict on whole sequences");

[[nodiscard]] bool is_attention(const Layer& layer);
// True if the call keeps keys and values, because its value has a time axis. Throws if a step would
// depend on later steps.
[[nodiscard]] bool attention_keeps_state(Layer& layer, const Args& args);
// Throws if an argument of the node is attention scores. Scores get another column at each step, so
// they can only be outputs of the model.
void check_no_scores(const Node& node);

}  // namespace maskflow
