// SPDX-License-Identifier: MIT
// Keras's recurrent layers the slow way: one row, one step, one number at a time, in double.
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

// `weights`: kernel, recurrent kernel, bias. `keep`: batch * time bytes. `initial`: one [batch,
// units] tensor per state, or none for zeros. A masked step carries the states and shows the output
// before it, zeros before the first kept one.
[[nodiscard]] NaiveResult naive_rnn(Kind kind, const Tensors& weights, const Tensor& x,
                                    const std::vector<std::uint8_t>& keep, const Tensors& initial,
                                    const NaiveOptions& options);

}  // namespace maskflow::test
