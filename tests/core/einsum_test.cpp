// SPDX-License-Identifier: MIT
// Einsum and EinsumDense against a loop over all labels.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "support/errors.hpp"
#include "support/layers.hpp"

namespace maskflow {
namespace {

using test::close;
using test::fails_with;
using test::list;
using test::Rng;

struct Example {
  const char* equation;
  const char* spelled;  // The equation, written without '...' and with an arrow.
  std::vector<Shape> shapes;
};

// Evaluates the equation element by element, in double.
Tensor naive(const std::string& spelled, const Tensors& xs) {
  const std::size_t arrow = spelled.find("->");
  std::vector<std::string> terms;
  for (std::size_t from = 0; from < arrow;) {
    const std::size_t to = std::min(spelled.find(',', from), arrow);
    terms.push_back(spelled.substr(from, to - from));
    from = to + 1;
  }
  const std::string result = spelled.substr(arrow + 2);
  std::map<char, Dim> sizes;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    for (int axis = 0; axis < xs[i].rank(); ++axis) {
      Dim& size = sizes[terms[i][static_cast<std::size_t>(axis)]];
      size = std::max(size, xs[i].shape()[axis]);
    }
  }
  Shape shape;
  for (const char label : result) shape.push_back(sizes[label]);
  std::vector<double> sums(static_cast<std::size_t>(shape.size()), 0);
  std::map<char, Dim> at;
  for (const auto& [label, size] : sizes) at[label] = 0;
  const auto offset = [&](const std::string& labels, const Shape& of) {
    Dim place = 0;
    for (int axis = 0; axis < of.rank(); ++axis) {
      const Dim index = at[labels[static_cast<std::size_t>(axis)]];
      place = place * of[axis] + (of[axis] == 1 ? 0 : index);
    }
    return static_cast<std::size_t>(place);
  };
  for (bool more = true; more;) {
    double product = 1;
    for (std::size_t i = 0; i < xs.size(); ++i) {
      product *= test::numbers(xs[i])[offset(terms[i], xs[i].shape())];
    }
    sums[offset(result, shape)] += product;
    more = false;
    for (auto& [label, index] : at) {
      if (++index < sizes[label]) {
        more = true;
        break;
      }
      index = 0;
    }
  }
  return test::floats(shape, {sums.begin(), sums.end()});
}

TEST(Einsum, EqualsTheLoopOverAllLabels) {
  const std::vector<Example> examples{
      {"ab,bc->ac", "ab,bc->ac", {{2, 3}, {3, 4}}},
      {"ab,bc", "ab,bc->ac", {{2, 3}, {3, 4}}},
      {"ba", "ba->ab", {{2, 3}}},
      {"aab->b", "aab->b", {{3, 3, 2}}},
      {"aa->a", "aa->a", {{4, 4}}},
      {"ab->", "ab->", {{2, 3}}},
      {"a,b->ba", "a,b->ba", {{2}, {3}}},
      {"abc,cd->d", "abc,cd->d", {{2, 3, 4}, {4, 5}}},
      {"abc,bcd->abd", "abc,bcd->abd", {{2, 3, 4}, {3, 4, 5}}},
      {"abc , bd -> adc", "abc,bd->adc", {{2, 3, 4}, {3, 5}}},
      {"aecd,abcd->acbe", "aecd,abcd->acbe", {{2, 3, 2, 4}, {2, 5, 2, 4}}},
      {"acbe,aecd->abcd", "acbe,aecd->abcd", {{2, 2, 3, 4}, {2, 4, 2, 3}}},
      {"...x,xy->...y", "abx,xy->aby", {{2, 3, 4}, {4, 5}}},
      {"ab...,bc->ac...", "abxy,bc->acxy", {{2, 3, 2, 2}, {3, 4}}},
      {"...ab,...bc->...ac", "xyab,ybc->xyac", {{2, 3, 2, 4}, {3, 4, 2}}},
      {"...a,...a", "xya,ya->xy", {{2, 1, 4}, {3, 4}}},
      {"ab,bc,cd->da", "ab,bc,cd->da", {{2, 3}, {3, 4}, {4, 2}}},
      {"ab,ab,b->a", "ab,ab,b->a", {{2, 3}, {1, 3}, {3}}},
  };
  Rng rng(5);
  for (const Example& example : examples) {
    SCOPED_TRACE(example.equation);
    Tensors xs;
    for (const Shape& shape : example.shapes) xs.push_back(test::random_floats(rng, shape));
    const Tensor got = apply_op1("Einsum", xs, test::dict({{"subscripts", example.equation}}));
    EXPECT_TRUE(close(got, naive(example.spelled, xs)));
  }
}

TEST(Einsum, OfIntegersReturnsIntegers) {
  const Tensor x = test::ints({2, 2}, {1, 2, 3, 4});
  const Tensor got =
      apply_op1("Einsum", std::array{x, x}, test::dict({{"subscripts", "ab,ab->a"}}));
  EXPECT_TRUE(close(got, test::ints({2}, {5, 25})));
}

TEST(Einsum, OverEmptyAxesIsZero) {
  const Tensor nothing =
      apply_op1("Einsum", std::array{test::floats({2, 0}, {}), test::floats({0, 3}, {})},
                test::dict({{"subscripts", "ab,bc->ac"}}));
  EXPECT_TRUE(close(nothing, Tensor::zeros(DType::kFloat32, {2, 3})));
}

TEST(Einsum, ErrorsNameTheMismatch) {
  const auto refused = [](ErrorKind kind, const char* equation,
                          std::initializer_list<std::string> parts) {
    const Tensor x = Tensor::zeros(DType::kFloat32, {2, 3});
    return fails_with(kind, parts, [&] {
      apply_op("Einsum", std::array{x, x}, test::dict({{"subscripts", equation}}));
    });
  };
  EXPECT_TRUE(refused(ErrorKind::kConfig, "ab->ab", {"'ab->ab'", "2 tensors"}));
  EXPECT_TRUE(refused(ErrorKind::kConfig, "ab,ab,ab->ab", {"2 tensors"}));
  EXPECT_TRUE(refused(ErrorKind::kConfig, "a1,ab->ab", {"'1'", "letters"}));
  EXPECT_TRUE(refused(ErrorKind::kConfig, "ab,ab->ac", {"'c'", "before '->'"}));
  EXPECT_TRUE(refused(ErrorKind::kConfig, "ab,ab->aa", {"'a'", "once"}));
  EXPECT_TRUE(refused(ErrorKind::kShape, "abc,ab->a", {"'abc'", "3 axes", "2"}));
  EXPECT_TRUE(refused(ErrorKind::kShape, "abc...,ab->a", {"3 axes", "2"}));
  EXPECT_TRUE(refused(ErrorKind::kShape, "ab,bc->ac", {"'b'", "3", "2"}));
}

TEST(EinsumDense, EqualsTheLoopOverAllLabels) {
  struct Case {
    const char* equation;
    const char* spelled;
    Shape input;
    List output_shape;
    Value bias_axes;
    Shape bias;
  };
  const std::vector<Case> cases{
      {"ab,bc->ac", "ab,bc->ac", {2, 3}, {4}, "c", {4}},
      {"abc,cde->abde", "abc,cde->abde", {2, 3, 4}, {nullptr, 2, 5}, "e", {5}},
      {"abc,cde->abde", "abc,cde->abde", {2, 3, 4}, {nullptr, 2, 5}, "d", {2, 1}},
      {"abc,bde->aedc", "abc,bde->aedc", {2, 3, 4}, {5, 6, nullptr}, nullptr, {}},
      {"abc,bcd->abd", "abc,bcd->abd", {2, 3, 4}, {3, 5}, "bd", {3, 5}},
      {"abc,cd->ad", "abc,cd->ad", {2, 3, 4}, {5}, nullptr, {}},
      {"...x,xy->...y", "abx,xy->aby", {2, 3, 4}, {5}, "y", {5}},
      {"ab...,bc->ac...", "abxy,bc->acxy", {2, 3, 2, 2}, {4}, "c", {4, 1, 1}},
  };
  Rng rng(6);
  for (const Case& c : cases) {
    SCOPED_TRACE(c.equation);
    const LayerPtr layer = test::make(
        "EinsumDense",
        {{"equation", c.equation}, {"output_shape", c.output_shape}, {"bias_axes", c.bias_axes}});
    test::randomize(*layer, rng, c.input);
    const Tensor x = test::random_floats(rng, c.input);
    const auto weights = layer->weights();
    Tensor wanted = naive(c.spelled, {x, weights[0].variable->value()});
    if (!c.bias_axes.is_null()) {
      ASSERT_EQ(weights.size(), 2U);
      EXPECT_EQ(weights[1].variable->shape(), c.bias);
      wanted = apply_op1("Add", std::array{wanted, weights[1].variable->value()});
    }
    EXPECT_TRUE(close((*layer)(x), wanted));
  }
}

TEST(EinsumDense, ErrorsNameTheMismatch) {
  const auto refused = [](ErrorKind kind, const char* equation, const List& output_shape,
                          const Value& bias_axes, std::initializer_list<std::string> parts) {
    return fails_with(kind, parts, [&] {
      const LayerPtr layer = test::make(
          "EinsumDense",
          {{"equation", equation}, {"output_shape", output_shape}, {"bias_axes", bias_axes}});
      (*layer)(Tensor::zeros(DType::kFloat32, {2, 3}));
    });
  };
  constexpr auto kConfig = ErrorKind::kConfig;
  EXPECT_TRUE(refused(kConfig, "ab", {4}, nullptr, {"'ab'", "input,kernel->result"}));
  EXPECT_TRUE(refused(kConfig, "ab,bc->ac", {1, 2, 4}, nullptr, {"3 sizes", "batch"}));
  EXPECT_TRUE(refused(kConfig, "ab,bcd->ac", {4}, nullptr, {"'d'", "output_shape"}));
  EXPECT_TRUE(refused(kConfig, "ab,bc->abc", {5, 4}, nullptr, {"5", "'b'", "3"}));
  EXPECT_TRUE(refused(kConfig, "ab,bc->ac", {4}, "x", {"'x'", "bias_axes"}));
  EXPECT_TRUE(refused(ErrorKind::kShape, "ab,bc->ac", {nullptr}, nullptr, {"kernel", "None"}));
  const LayerPtr layer =
      test::make("EinsumDense", {{"equation", "ab,bc->ac"}, {"output_shape", 4}});
  (*layer)(Tensor::zeros(DType::kFloat32, {2, 3}));
  for (const Dim features : {1, 5}) {
    EXPECT_TRUE(fails_with(ErrorKind::kShape, {"3"}, [&] {
      (*layer)(Tensor::zeros(DType::kFloat32, {2, features}));
    }));
  }
}

}  // namespace
}  // namespace maskflow
