// SPDX-License-Identifier: MIT
// Which attention layers can take part in a stream, by how they are called.
#pragma once

#include <string_view>

#include "model/stream.hpp"

namespace maskflow {

// UnsupportedError that names the layer or op of the model.
[[noreturn]] void refuse_in_stream(const Operation& operation, std::string_view reason,
                                   std::string_view remedy = "call predict on whole sequences");

[[nodiscard]] bool is_attention(const Layer& layer);
// Does this call keep anything? No where the value has no time; refused unless it is causal then.
[[nodiscard]] bool attention_keeps_state(Layer& layer, const Args& args);
// Scores have more columns at every step: they can be results of the model, and nothing else.
void check_no_scores(const Node& node);

}  // namespace maskflow
