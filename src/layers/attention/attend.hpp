// SPDX-License-Identifier: MIT
// What all attention layers share: weights by softmax over the keys that a query may see, and the
// values they weigh.
#pragma once

#include <cstdint>
#include <vector>

#include "base/random.hpp"
#include "kernels/attention.hpp"
#include "layers/attention/kept_rows.hpp"

namespace maskflow {

// What a query gets that may see no key. (Keras's ways of masking differ in that.)
enum class NoKeys : std::uint8_t {
  kScored,   // 1e9 less for every score: practically the mean of all values
  kUniform,  // the mean of all values
  kZero,
};

class Attend {
 public:
  struct Sizes {
    Dim batch = 0, queries = 0, keys = 0;
    std::size_t heads = 1, key_heads = 1;  // each key head serves heads / key_heads heads
    std::size_t width = 0, value_width = 0;
  };
  // `allowed`: bool, broadcast to [batch, heads, queries, keys], or no handle: all of them.
  Attend(const Sizes& sizes, const Tensor& allowed, NoKeys blind);

  // Leaves out what no result shows: keys that no query sees, queries without a key (kUniform and
  // kZero, which the caller fills in) and queries that are not `shown` (bool [batch, queries], or
  // null). Only for finite numbers: in Keras a NaN behind the mask shows.
  void leave_out(const std::uint8_t* shown);
  [[nodiscard]] const Sizes& sizes() const { return sizes_; }
  [[nodiscard]] NoKeys blind() const { return blind_; }
  [[nodiscard]] const KeptRows& queries() const { return queries_; }
  [[nodiscard]] const KeptRows& keys() const { return keys_; }
  [[nodiscard]] bool masks_heads_alike() const {
    return allowed_.empty_handle() || allowed_.shape()[1] == 1;
  }
  // The part of the mask that is computed for one head of a sequence, a byte for each kept query
  // and key; empty when all of it is allowed.
  [[nodiscard]] std::vector<std::uint8_t> block(std::size_t batch, std::size_t head) const;

  // Is shown the weights of each head of each sequence in turn: what the softmax gave and, where
  // there is dropout, what was left of it.
  class Keeper {
   public:
    Keeper() = default;
    virtual ~Keeper() = default;
    Keeper(const Keeper&) = delete;
    Keeper& operator=(const Keeper&) = delete;
    virtual void add(const kernels::Floats& weights, bool dropped) = 0;
  };

  kernels::Score score;
  bool in_place = false;         // one query goes over the keys where they lie, not packed
  double dropout = 0;            // share of the weights set to zero
  Random* random = nullptr;      // chooses them
  Keeper* keeper = nullptr;      // of a gradient
  bool returns_dropped = false;  // `scores` after dropout?
  // Rows of queries, keys and values are [heads * width] and so on: all of them or, if they are
  // `packed`, the kept ones. `out`: a row for each kept query. `scores`, if not null: [batch,
  // heads, queries, keys], cleared.
  void run(const float* query, bool packed_queries, const float* key, const float* value,
           bool packed_keys, float* out, float* scores) const;

 private:
  [[nodiscard]] const std::uint8_t* allowed_of(std::size_t batch, std::size_t head) const;
  void drop(kernels::Floats& weights) const;
  void place(const kernels::Floats& weights, std::size_t b, float* scores) const;

  Sizes sizes_;
  Tensor allowed_;
  NoKeys blind_;
  KeptRows queries_, keys_;
};

// Bool [1, 1, queries, keys]: key j for query i if j <= i (`causal`) and |i - j| < window (0: any).
[[nodiscard]] Tensor band_mask(Dim queries, Dim keys, bool causal, Dim window);
// The logical AND of two masks, either of which may have no handle.
[[nodiscard]] Tensor both(const Tensor& a, const Tensor& b);
[[nodiscard]] bool finite(const Tensor& x);
void check_dropout(double rate);

}  // namespace maskflow
