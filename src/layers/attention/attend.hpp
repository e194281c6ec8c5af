// SPDX-License-Identifier: MIT
// The computation that all attention layers share: the softmax of the scores of each query and the
// keys that it sees, and the sum of the values with these weights.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "kernels/attention.hpp"
#include "kernels/team.hpp"
#include "layers/attention/kept_rows.hpp"
#include "ops/activation.hpp"

namespace maskflow {

// The result for a query that sees no key. Keras masks in three ways, which differ in this.
enum class NoKeys : std::uint8_t {
  // 1e9 is subtracted from every score, so the result is the mean of all values, apart from
  // rounding.
  kScored,
  kUniform,  // The result is the mean of all values.
  kZero,     // zeros
};

class Attend {
 public:
  struct Sizes {
    Dim batch = 0, queries = 0, keys = 0;
    // Each key head is shared by heads / key_heads query heads.
    std::size_t heads = 1, key_heads = 1;
    std::size_t width = 0, value_width = 0;
  };
  // `mask`: bool, broadcast to [batch, heads, queries, keys], true where a query sees a key.
  // Without a handle, every query sees every key.
  Attend(const Sizes& sizes, const Tensor& mask, NoKeys no_keys);

  // Restricts the computation to the rows that affect a result. Leaves out keys that no query sees,
  // queries for which `needed` is 0 (bool [batch, queries]; null: all are needed), and, with
  // kUniform and kZero, queries that see no key: the caller fills in their results. The results of
  // the others stay the same only if all numbers are finite: in Keras, a masked NaN shows.
  void prune(const std::uint8_t* needed);
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  [[nodiscard]] NoKeys no_keys() const { return no_keys_; }
  [[nodiscard]] const KeptRows& queries() const { return queries_; }
  [[nodiscard]] const KeptRows& keys() const { return keys_; }
  // Returns the number of heads of all sequences, and the multiply-adds of their products.
  [[nodiscard]] std::size_t heads() const {
    return static_cast<std::size_t>(sizes_.batch) * sizes_.heads;
  }
  [[nodiscard]] kernels::Work work() const;
  // Returns the largest numbers of kept queries and keys of a sequence.
  [[nodiscard]] std::pair<std::size_t, std::size_t> max_rows() const;
  [[nodiscard]] bool masks_heads_alike() const {
    return mask_.empty_handle() || mask_.shape()[1] == 1;
  }

  // One head of one sequence.
  struct Head {
    std::size_t batch, head, key_head;
    std::size_t queries, keys;           // Numbers of kept rows.
    std::size_t first_query, first_key;  // Positions among the kept rows of all sequences.
  };
  [[nodiscard]] Head head(std::size_t batch, std::size_t head) const;
  // Sets `mask` to the mask of a head, a byte for each kept query and key, or makes it empty if all
  // bytes are true. Allocates nothing if its capacity suffices.
  void read_mask(const Head& head, std::vector<std::uint8_t>& mask) const;

  // Receives the weights of each head of each sequence: those of the softmax and, with dropout,
  // those that remain. Heads are numbered sequence by sequence.
  class Recorder {
   public:
    Recorder() = default;
    virtual ~Recorder() = default;
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;
    // Called for all heads before the first add(), which must not allocate.
    virtual void prepare(std::size_t head, std::size_t size, bool has_dropout) = 0;
    virtual void add(std::size_t head, const kernels::Floats& weights, bool after_dropout) = 0;
  };

  kernels::Score score;
  bool in_place = false;         // True if a single query uses the keys where they are, unpacked.
  double dropout = 0;            // Share of the weights that is set to zero.
  Random* random = nullptr;      // Source of random numbers for the dropout.
  Recorder* recorder = nullptr;  // Records the weights for the backward pass, or is null.
  bool scores_after_dropout = false;  // Whether the returned scores include the dropout.

  // Rows of [heads * width], [key_heads * width] and [key_heads * value_width]: the kept rows only
  // if they are packed, else all.
  struct Inputs {
    const float* query;
    const float* key;
    const float* value;
    bool packed_queries, packed_keys;
  };
  // `out`: a row of [heads * value_width] for each kept query. `scores`: zeros [batch, heads,
  // queries, keys], in which the weights are returned; or null.
  void run(const Inputs& inputs, float* out, float* scores) const;

 private:
  [[nodiscard]] const std::uint8_t* mask_rows(std::size_t batch, std::size_t head) const;
  // Memory for one head at a time.
  struct Room {
    kernels::AttentionRoom packed;
    kernels::Floats weights, sums;
    std::vector<std::uint8_t> mask;
    Activation softmax{"softmax"};
    std::size_t mask_batch = SIZE_MAX;  // the sequence whose mask is in `mask`
  };
  // Returns a room that suffices for every head.
  [[nodiscard]] Room make_room() const;
  void run_head(const Inputs& inputs, const Head& head, Room& room, float* out,
                float* scores) const;
  // The three parts of `run_head`.
  void compute_scores(const Inputs& inputs, const Head& head, Room& room) const;
  void apply_dropout(const Head& head, kernels::Floats& weights, float* scores) const;
  void sum_values(const Inputs& inputs, const Head& head, Room& room, float* out) const;
  // Copies the weights of a head to their positions in the returned scores.
  void copy_weights(const Head& head, const kernels::Floats& weights, float* scores) const;

  Sizes sizes_;
  Tensor mask_;
  NoKeys no_keys_;
  KeptRows queries_, keys_;
};

// Bool [1, 1, queries, keys], true where query i sees key j: j <= i if `causal`, and |i - j| <
// window, unless window is 0.
[[nodiscard]] Tensor band_mask(Dim queries, Dim keys, bool causal, Dim window);
// The logical AND of two masks, either of which may have no handle.
[[nodiscard]] Tensor intersection(const Tensor& a, const Tensor& b);
[[nodiscard]] bool all_finite(const Tensor& x);
// Throws ConfigError unless 0 <= rate < 1.
void check_dropout(double rate);

}  // namespace maskflow
