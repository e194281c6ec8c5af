// SPDX-License-Identifier: MIT
#include "support/op_cases.hpp"

namespace maskflow::test {
namespace {

Value range(const Value& start, const Value& stop, const Value& step) {
  return dict({{"start", start}, {"stop", stop}, {"step", step}});
}

}  // namespace

std::vector<OpCase> shape_cases() {
  const Tensor x = ints({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor transposed = ints({3, 2}, {1, 4, 2, 5, 3, 6});
  return {
      {"Reshape", {x}, dict({{"newshape", list({3, -1})}}), {ints({3, 2}, {1, 2, 3, 4, 5, 6})}},
      {"Transpose", {x}, {}, {transposed}},
      {"Transpose", {x}, dict({{"axes", list({-1, 0})}}), {transposed}},
      {"Moveaxis", {x}, dict({{"source", 0}, {"destination", -1}}), {transposed}},
      {"Moveaxis",
       {x},
       dict({{"source", list({0, 1})}, {"destination", list({1, 0})}}),
       {transposed}},
      {"Swapaxes", {x}, dict({{"axis1", 0}, {"axis2", 1}}), {transposed}},
      {"ExpandDims", {ints({2}, {1, 2})}, dict({{"axis", -1}}), {ints({2, 1}, {1, 2})}},
      {"ExpandDims",
       {ints({2}, {1, 2})},
       dict({{"axis", list({0, 2})}}),
       {ints({1, 2, 1}, {1, 2})}},
      {"Squeeze", {ints({1, 2, 1}, {1, 2})}, {}, {ints({2}, {1, 2})}},
      {"Squeeze", {ints({1, 2, 1}, {1, 2})}, dict({{"axis", 0}}), {ints({2, 1}, {1, 2})}},
      {"BroadcastTo",
       {ints({2, 1}, {1, 2})},
       dict({{"shape", list({2, 2, 2})}}),
       {ints({2, 2, 2}, {1, 1, 2, 2, 1, 1, 2, 2})}},
      {"Flip", {x}, {}, {ints({2, 3}, {6, 5, 4, 3, 2, 1})}},
      {"Flip", {x}, dict({{"axis", 1}}), {ints({2, 3}, {3, 2, 1, 6, 5, 4})}},
      {"Slice",
       {x},
       dict({{"start_indices", list({0, 1})}, {"shape", list({2, 2})}}),
       {ints({2, 2}, {2, 3, 5, 6})}},
      {"Slice",
       {x},
       dict({{"start_indices", list({1, 1})}, {"shape", list({-1, -1})}}),
       {ints({1, 2}, {5, 6})}},
      {"Slice",
       {x},
       dict({{"start_indices", list({0, 3})}, {"shape", list({2, -1})}}),
       {ints({2, 0}, {})}},
      {"GetItem", {x}, dict({{"key", -1}}), {ints({3}, {4, 5, 6})}},
      {"GetItem", {x}, dict({{"key", list({"...", nullptr, 0})}}), {ints({2, 1}, {1, 4})}},
      {"GetItem",
       {x},
       dict({{"key", list({1, range(nullptr, nullptr, -1)})}}),
       {ints({3}, {6, 5, 4})}},
      {"GetItem",
       {x},
       dict({{"key", list({range(0, 99, 1), range(-2, nullptr, 1)})}}),
       {ints({2, 2}, {2, 3, 5, 6})}},
      {"GetItem", {x}, dict({{"key", range(1, 1, 1)}}), {ints({0, 3}, {})}},
      {"Tril", {x}, {}, {ints({2, 3}, {1, 0, 0, 4, 5, 0})}},
      {"Triu", {x}, dict({{"k", 1}}), {ints({2, 3}, {0, 2, 3, 0, 0, 6})}},
  };
}

std::vector<OpCase> join_cases() {
  const Tensor x = ints({2, 2}, {1, 2, 3, 4});
  const Tensor column = floats({2, 1}, {0.5F, 0.25F});
  return {
      {"Concatenate",
       {x, column},
       dict({{"axis", -1}}),
       {floats({2, 3}, {1, 2, 0.5F, 3, 4, 0.25F})}},
      {"Concatenate",
       {x, x, x},
       dict({{"axis", 0}}),
       {ints({6, 2}, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4})}},
      {"Stack", {x, x}, dict({{"axis", -1}}), {ints({2, 2, 2}, {1, 1, 2, 2, 3, 3, 4, 4})}},
      {"Split",
       {x},
       dict({{"indices_or_sections", 2}, {"axis", 1}}),
       {ints({2, 1}, {1, 3}), ints({2, 1}, {2, 4})}},
      {"Split",
       {ints({4}, {1, 2, 3, 4})},
       dict({{"indices_or_sections", list({1, -1})}}),
       {ints({1}, {1}), ints({2}, {2, 3}), ints({1}, {4})}},
      {"Unstack", {x}, dict({{"axis", 1}}), {ints({2}, {1, 3}), ints({2}, {2, 4})}},
      {"Tile",
       {x},
       dict({{"repeats", list({2, 1, 2})}}),
       {ints({2, 2, 4}, {1, 2, 1, 2, 3, 4, 3, 4, 1, 2, 1, 2, 3, 4, 3, 4})}},
      {"Repeat", {x}, dict({{"repeats", 2}}), {ints({8}, {1, 1, 2, 2, 3, 3, 4, 4})}},
      {"Repeat",
       {x},
       dict({{"repeats", 2}, {"axis", 0}}),
       {ints({4, 2}, {1, 2, 1, 2, 3, 4, 3, 4})}},
      {"Roll", {ints({2, 2}, {1, 2, 3, 4})}, dict({{"shift", 1}}), {ints({2, 2}, {4, 1, 2, 3})}},
      {"Roll",
       {ints({2, 2}, {1, 2, 3, 4})},
       dict({{"shift", 1}, {"axis", -1}}),
       {ints({2, 2}, {2, 1, 4, 3})}},
      {"Roll", {ints({4}, {1, 2, 3, 4})}, dict({{"shift", -9}}), {ints({4}, {2, 3, 4, 1})}},
      {"Pad",
       {ints({1, 2}, {1, 2})},
       dict({{"pad_width", list({list({1, 0}), list({0, 2})})}, {"constant_values", 9}}),
       {ints({2, 4}, {9, 9, 9, 9, 1, 2, 9, 9})}},
      {"Pad", {ints({1}, {1})}, dict({{"pad_width", 1}}), {ints({3}, {0, 1, 0})}},
      {"OneHot",
       {ints({2, 2}, {0, 2, -1, 3})},
       dict({{"num_classes", 3}, {"axis", 1}}),
       {floats({2, 3, 2}, {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0})}},
  };
}

}  // namespace maskflow::test
