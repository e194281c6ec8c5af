// SPDX-License-Identifier: MIT
// Cases recorded from Keras; the format is in tests/fixtures/README.md.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "layer/layer.hpp"

namespace maskflow::test {

// Names of the files in a folder of the fixtures, without ".json", sorted.
[[nodiscard]] std::vector<std::string> fixture_names(const std::string& folder);
[[nodiscard]] std::string fixture_text(const std::string& path);
// A file as plain data. NaN and infinities, which Python writes as bare words, are numbers.
[[nodiscard]] Value read_fixture(const std::string& path);
// Converts a recorded tensor {shape, dtype, data}; returns an empty handle for null.
[[nodiscard]] Tensor tensor_from(const Value& recorded);

// The value at a key; throws if the key is missing.
[[nodiscard]] const Value& at(const Value& value, std::string_view key);

struct Outcome {
  Tensors outputs;
  std::vector<std::string> warnings;
  Tensors weights;  // The layer's weights after the calls.
};
// Deserializes the layer of a case, sets its weights and calls it as often as was recorded.
[[nodiscard]] Outcome run_case(const Value& recorded, MaskPropagation rule);
// Describes the first difference between a case and its results; empty if there is none. `changed`
// holds the parts that another mask rule changes, or is null.
[[nodiscard]] std::string check_case(const Value& recorded, const Value* changed,
                                     MaskPropagation rule);
// Does the same as check_case() for a plain activation function.
[[nodiscard]] std::string check_activation(const Value& recorded);

}  // namespace maskflow::test
