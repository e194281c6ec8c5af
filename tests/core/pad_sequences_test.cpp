// SPDX-License-Identifier: MIT
#include "preprocessing/pad_sequences.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tensors.hpp"

namespace maskflow {
namespace {

using test::fails_with;
using test::ints;
using test::same_bits;

Tensor padded(const PadOptions& options) {
  const std::vector<Dim> lengths{3, 1, 0};
  return pad_sequences(ints({4}, {1, 2, 3, 4}), lengths, options, ints({}, {9}));
}

TEST(PadSequences, PadsAndCutsOnEitherSide) {
  EXPECT_TRUE(same_bits(padded({}), ints({3, 3}, {1, 2, 3, 9, 9, 4, 9, 9, 9})));
  EXPECT_TRUE(same_bits(padded({.maxlen = {}, .padding = "post"}),
                        ints({3, 3}, {1, 2, 3, 4, 9, 9, 9, 9, 9})));
  EXPECT_TRUE(same_bits(padded({.maxlen = 2}), ints({3, 2}, {2, 3, 9, 4, 9, 9})));
  EXPECT_TRUE(
      same_bits(padded({.maxlen = 2, .truncating = "post"}), ints({3, 2}, {1, 2, 9, 4, 9, 9})));
  EXPECT_EQ(padded({.maxlen = 0, .truncating = "post"}).shape(), (Shape{3, 0}));
}

TEST(PadSequences, AcceptsVectorsAsItems) {
  const std::vector<Dim> lengths{1, 2};
  const Tensor result =
      pad_sequences(ints({3, 2}, {1, 2, 3, 4, 5, 6}), lengths, {}, ints({2}, {7, 8}));
  EXPECT_TRUE(same_bits(result, ints({2, 2, 2}, {7, 8, 1, 2, 3, 4, 5, 6})));
}

TEST(PadSequences, EqualsTheNaiveCopy) {
  for (int seed = 0; seed < 200 && !HasFailure(); ++seed) {
    test::Rng rng(6000 + static_cast<std::uint64_t>(seed));
    SCOPED_TRACE(rng.trace());
    std::vector<Dim> lengths;
    Dim total = 0;
    for (int i = rng.integer(1, 6); i > 0; --i) {
      lengths.push_back(rng.integer(0, 5));
      total += lengths.back();
    }
    const Dim width = rng.integer(1, 7);
    const bool pad_front = rng.chance(0.5);
    const bool cut_front = rng.chance(0.5);
    const Tensor items = test::random_ints(rng, {total}, 1, 99);
    const Tensor result = pad_sequences(items, lengths,
                                        {.maxlen = width,
                                         .padding = pad_front ? "pre" : "post",
                                         .truncating = cut_front ? "pre" : "post"},
                                        ints({}, {0}));
    Dim first = 0;
    for (std::size_t row = 0; row < lengths.size(); first += lengths[row++]) {
      const Dim length = lengths[row];
      for (Dim t = 0; t < width; ++t) {
        Dim item = pad_front ? t - (width - std::min(length, width)) : t;
        const bool padding = item < 0 || item >= std::min(length, width);
        if (cut_front) item += std::max<Dim>(0, length - width);
        const std::int32_t expected =
            padding ? 0 : items.data<std::int32_t>()[static_cast<std::size_t>(first + item)];
        EXPECT_EQ(result.data<std::int32_t>()[row * static_cast<std::size_t>(width) +
                                              static_cast<std::size_t>(t)],
                  expected);
      }
    }
  }
}

TEST(PadSequences, RejectsInvalidArguments) {
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"padding", "'both'", "'pre' or 'post'"},
                         [] { static_cast<void>(padded({.maxlen = {}, .padding = "both"})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"truncating", "'no'"},
                         [] { static_cast<void>(padded({.maxlen = 1, .truncating = "no"})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"maxlen", "-1"},
                         [] { static_cast<void>(padded({.maxlen = -1})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"maxlen 0", "post"},
                         [] { static_cast<void>(padded({.maxlen = 0})); }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"no sequences", "maxlen"}, [] {
    static_cast<void>(pad_sequences(ints({0}, {}), {}, {}, ints({}, {0})));
  }));
  const std::vector<Dim> two{2};
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"add up to 2", "3 items"}, [&] {
    static_cast<void>(pad_sequences(ints({3}, {1, 2, 3}), two, {}, ints({}, {0})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kValue, {"bool", "int32"}, [&] {
    static_cast<void>(pad_sequences(ints({2}, {1, 2}), two, {}, test::bools({}, {0})));
  }));
  EXPECT_TRUE(fails_with(ErrorKind::kShape, {"(2,)", "()"}, [&] {
    static_cast<void>(pad_sequences(ints({2}, {1, 2}), two, {}, ints({2}, {0, 0})));
  }));
}

}  // namespace
}  // namespace maskflow
