// SPDX-License-Identifier: MIT
// Ops that maskflow/recurrent leaves out, except elementwise functions.
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {
namespace {

const float kInfinity = INFINITY;

std::vector<OpCase> rearranged() {
  const Tensor x = floats({2, 3}, {1, 2, 3, 4, 5, 7});
  const Tensor row = floats({2}, {1, 2});
  return {
      {"Diff", {x}, {}, {floats({2, 2}, {1, 1, 1, 2})}},
      {"Diff", {x}, dict({{"n", 9}, {"axis", 0}}), {floats({0, 3}, {})}},
      {"Diff", {bools({3}, {1, 1, 0})}, {}, {bools({2}, {0, 1})}},
      {"Hstack", {row, row}, {}, {floats({4}, {1, 2, 1, 2})}},
      {"Hstack", {scalar(1), scalar(2)}, {}, {row}},
      {"Vstack", {row, row}, {}, {floats({2, 2}, {1, 2, 1, 2})}},
      {"Ravel", {x}, {}, {floats({6}, {1, 2, 3, 4, 5, 7})}},
      {"Select",
       {bools({2}, {1, 0}), bools({2}, {1, 1}), row, floats({2}, {5, 6}), scalar(9)},
       {},
       {floats({2}, {1, 6})}},
      {"Size", {x}, {}, {ints({}, {6})}},
      {"StopGradient", {x}, {}, {x}},
      {"Diagonal", {x}, dict({{"offset", 1}}), {floats({2}, {2, 7})}},
      {"Diagonal", {x}, dict({{"offset", -9}}), {floats({0}, {})}},
      {"Trace", {x}, dict({{"axis1", 1}, {"axis2", 0}}), {scalar(6)}},
      {"MultiHot",
       {ints({2, 2}, {0, 2, 1, 1})},
       dict({{"num_classes", 3}}),
       {floats({2, 3}, {1, 0, 1, 0, 1, 0})}},
  };
}

std::vector<OpCase> products() {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const Tensor one = floats({1, 1, 1, 1}, {2});
  return {
      {"Dot", {x, floats({2}, {10, 1})}, {}, {floats({2}, {12, 34})}},
      {"Dot", {ints({2}, {1, 2}), ints({2}, {3, 4})}, {}, {ints({}, {11})}},
      {"Inner", {x, x}, {}, {floats({2, 2}, {5, 11, 11, 25})}},
      {"Vdot", {x, x}, {}, {scalar(30)}},
      {"Tensordot", {x, x}, {}, {scalar(30)}},
      {"Tensordot",
       {x, x},
       dict({{"axes", list({1, list({0})})}}),
       {floats({2, 2}, {7, 10, 15, 22})}},
      {"DotProductAttention", {one, one, one}, {}, {one}},
      // The bias is added to the scores 2 and 10.
      {"DotProductAttention",
       {ints({1, 1, 1, 1}, {2}), ints({1, 2, 1, 1}, {1, 5}), ints({1, 2, 1, 1}, {1, 5}),
        floats({1, 1, 1, 2}, {8, 0})},
       dict({{"scale", 1}}),
       {floats({1, 1, 1, 1}, {3})}},
      {"Conv",
       {floats({1, 3, 1}, {1, 2, 4}), floats({2, 1, 1}, {-1, 1})},
       {},
       {floats({1, 2, 1}, {1, 2})}},
      {"MaxPool",
       {floats({1, 3, 1}, {1, 2, 4})},
       dict({{"pool_size", 2}, {"padding", "same"}}),
       {floats({1, 2, 1}, {2, 4})}},
      {"AveragePool",
       {floats({1, 3, 1}, {1, 2, 4})},
       dict({{"pool_size", 2}, {"padding", "same"}}),
       {floats({1, 2, 1}, {1.5F, 4})}},
  };
}

std::vector<OpCase> statistics() {
  const Tensor x = floats({1, 2}, {3, 5});
  const Tensor centered = floats({1, 2}, {-1, 1});
  const Dict last = dict({{"axis", -1}});
  const float one = 1 / std::sqrt(1 + 1e-7F);
  return {
      {"Average", {x}, last, {floats({1}, {4})}},
      {"Average", {x, floats({2}, {3, 1})}, last, {floats({1}, {3.5F})}},
      {"Cumprod", {floats({3}, {2, 0, 4})}, last, {floats({3}, {2, 0, 0})}},
      {"Cumprod", {ints({2}, {65536, 65536})}, {}, {ints({2}, {65536, 0})}},
      {"LayerNorm", {centered}, {}, {floats({1, 2}, {-one, one})}},
      {"LayerNorm",
       {centered, floats({2}, {1, 2}), floats({2}, {0, 10})},
       {},
       {floats({1, 2}, {-one, 10 + 2 * one})}},
      {"RMSNorm", {x, floats({2}, {1, 0})}, {}, {floats({1, 2}, {3 / std::sqrt(17.0F), 0})}},
      {"CTCDecode",
       {floats({1, 3, 2}, {0, 1, 0, 1, 1, 0}), ints({1}, {3})},
       {},
       {ints({1, 1, 3}, {1, -1, -1}), floats({1, 1}, {-3})}},
      {"BinaryCrossentropy",
       {floats({2}, {1, 0}), floats({2}, {0.5F, 0.75F})},
       {},
       {floats({2}, {std::log(2.0F), std::log(4.0F)})}},
      {"CategoricalCrossentropy",
       {floats({1, 2}, {0, 1}), floats({1, 2}, {1, 3})},
       {},
       {floats({1}, {-std::log(0.75F)})}},
      {"SparseCategoricalCrossentropy",
       {ints({1}, {1}), floats({1, 2}, {0, 0})},
       dict({{"from_logits", true}}),
       {floats({1}, {std::log(2.0F)})}},
  };
}

std::vector<OpCase> sorted() {
  const Tensor x = floats({1, 4}, {1.8F, NAN, -1, 0});
  const Tensor sequence = floats({4}, {1, 2, 2, 4});
  const Tensor numbers = floats({4}, {-1, 0, 1, 2});
  return {
      {"Sort", {x}, {}, {floats({1, 4}, {-1, 0, 1.8F, NAN})}},
      {"Sort", {bools({3}, {1, 0, 1})}, dict({{"axis", nullptr}}), {bools({3}, {0, 1, 1})}},
      {"Argsort", {x}, {}, {ints({1, 4}, {2, 3, 0, 1})}},
      {"TopK", {numbers}, dict({{"k", 2}}), {floats({2}, {2, 1}), ints({2}, {3, 2})}},
      {"InTopK",
       {ints({2}, {0, 1}), floats({2, 2}, {1, 2, 1, 2})},
       dict({{"k", 1}}),
       {bools({2}, {0, 1})}},
      {"SearchSorted", {sequence, floats({2}, {2, 9})}, {}, {ints({2}, {1, 4})}},
      {"SearchSorted", {sequence, scalar(2)}, dict({{"side", "right"}}), {ints({}, {3})}},
      {"Digitize", {floats({2}, {0.5F, 2}), sequence}, {}, {ints({2}, {0, 3})}},
      {"IsIn", {floats({2}, {2, NAN}), floats({2}, {NAN, 2})}, {}, {bools({2}, {1, 0})}},
      {"IsIn", {ints({1}, {2}), ints({0}, {})}, dict({{"invert", true}}), {bools({1}, {1})}},
      {"Quantile", {numbers, scalar(0.5F)}, {}, {scalar(0.5F)}},
      {"Quantile", {numbers, ints({2}, {0, 1})}, {}, {floats({2}, {-1, 2})}},
      {"Percentile", {numbers, scalar(50)}, dict({{"keepdims", true}}), {floats({1}, {0.5F})}},
      {"Median", {x}, {}, {scalar(NAN)}},
  };
}

std::vector<OpCase> scattered() {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const Tensor ids = ints({3}, {0, 2, 0});
  const Tensor data = floats({3}, {1, 5, 2});
  const Dict three = dict({{"num_segments", 3}});
  return {
      {"Scatter",
       {ints({2, 1}, {0, 0}), floats({2}, {1, 2})},
       dict({{"shape", list({3})}}),
       {floats({3}, {3, 0, 0})}},
      {"ScatterUpdate",
       {x, ints({1, 2}, {0, 1}), floats({1}, {9})},
       {},
       {floats({2, 2}, {1, 9, 3, 4})}},
      {"ScatterUpdate",
       {x, ints({1, 1}, {-1}), floats({1, 2}, {9, 0})},
       dict({{"reduction", "add"}}),
       {floats({2, 2}, {1, 2, 12, 4})}},
      {"SliceUpdate",
       {x, ints({2}, {0, 1}), floats({2, 1}, {8, 9})},
       {},
       {floats({2, 2}, {1, 8, 3, 9})}},
      {"SegmentMax",
       {data, ints({3}, {0, 1, 0})},
       dict({{"num_segments", 2}}),
       {floats({2}, {2, 5})}},
      {"SegmentMin",
       {data, ints({3}, {0, 1, 0})},
       dict({{"num_segments", 2}}),
       {floats({2}, {1, 5})}},
      {"SegmentSum", {data, ids}, three, {floats({3}, {3, 0, 5})}},
      {"SegmentMax", {data, ids}, three, {floats({3}, {2, -kInfinity, 5})}},
      {"SegmentMin", {data, ids}, three, {floats({3}, {1, kInfinity, 5})}},
  };
}

}  // namespace

std::vector<OpCase> more_cases() {
  std::vector<OpCase> all;
  for (const auto& cases : {rearranged(), products(), statistics(), sorted(), scattered()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace maskflow::test
