// SPDX-License-Identifier: MIT
// Keras's recurrent layers by their definition: one row, one step and one number at a time, in
// double precision.
#pragma once

#include <string>
#include <vector>

#include "tensor/tensor.hpp"

namespace maskflow::test {

enum class Kind { kSimpleRnn, kLstm, kGru, kGruResetBefore };
[[nodiscard]] std::string name_of(Kind kind);
[[nodiscard]] inline std::size_t state_count(Kind kind) { return kind == Kind::kLstm ? 2 : 1; }

struct NaiveOptions {
  bool return_sequences = false;
  bool go_backwards = false;
  bool zero_output_for_mask = false;
};

struct NaiveResult {
  Tensor output;
  Tensors states;
};

// `weights` are kernel, recurrent kernel and bias; `keep` has batch * time bytes. `initial` has one
// [batch, units] tensor per state, or none for zeros. A masked step keeps the states and repeats
// the previous output, or zeros before the first kept step.
[[nodiscard]] NaiveResult naive_rnn(Kind kind, const Tensors& weights, const Tensor& x,
                                    const std::vector<std::uint8_t>& keep, const Tensors& initial,
                                    const NaiveOptions& options);

}  // namespace maskflow::test
