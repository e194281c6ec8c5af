// SPDX-License-Identifier: MIT
#pragma once

#include "layers/attend.hpp"
#include "rnn/keep.hpp"
#include "rnn/stream_past.hpp"

namespace maskflow {

// Causal attention of the last steps of a stream: each of them sees the keys until its own, or
// those of the last `window` steps.
class StreamAttend {
 public:
  struct Heads {
    std::size_t heads = 1, key_heads = 1, width = 0, value_width = 0;
  };
  StreamAttend(const StreamPast& past, const Heads& heads, std::size_t steps)
      : past_(past), heads_(heads), steps_(steps) {}

  kernels::Score score;
  std::size_t window = 0;

  // The queries that see a key, of those that `wanted` has.
  [[nodiscard]] KeptRows seeing(const Keep& wanted) const;
  // `query`: a row for each of `queries`, or, unless `packed`, for all. `out`: a row for each of
  // `queries`. `scores`, if not null: [batch, heads, steps, all steps so far], cleared.
  void run(const KeptRows& queries, const float* query, bool packed, float* out,
           float* scores) const;

 private:
  // The keys of a row that a step sees, by number.
  struct Range {
    std::size_t first, last;
  };
  [[nodiscard]] Range sight(std::size_t row, std::size_t step) const;
  void run_block(const KeptRows& queries, std::size_t row, Range block, const float* query,
                 bool packed, float* out, float* scores) const;

  const StreamPast& past_;
  Heads heads_;
  std::size_t steps_;
};

// A byte for each of [batch, steps]: is it in both?
[[nodiscard]] std::vector<std::uint8_t> kept_steps(const Keep& a, const Keep& b, std::size_t batch,
                                                   std::size_t steps);
// Those that are not 0, as rows.
[[nodiscard]] KeptRows rows_of(const std::vector<std::uint8_t>& kept, std::size_t batch);

}  // namespace maskflow
