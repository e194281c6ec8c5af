// SPDX-License-Identifier: MIT
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {

std::vector<OpCase> binary_cases() {
  const Tensor a = floats({2, 2}, {-7, 2.5F, 0, 9});
  const Tensor b = floats({2}, {2, -2.5F});
  const Tensor i = ints({2, 3}, {7, -7, 7, -7, 5, INT32_MIN});
  const Tensor j = ints({2, 3}, {2, 2, -2, -2, 0, -1});
  const Tensor m = floats({2, 3}, {1, 2, 3, 4, 5, 6});
  const Tensor yes_no = bools({2}, {1, 0});
  return {
      {"Add", {a, b}, {}, {floats({2, 2}, {-5, 0, 2, 6.5F})}},
      {"Subtract", {a, b}, {}, {floats({2, 2}, {-9, 5, -2, 11.5F})}},
      {"Multiply", {a, b}, {}, {floats({2, 2}, {-14, -6.25F, 0, -22.5F})}},
      {"Divide", {a, b}, {}, {floats({2, 2}, {-3.5F, -1, 0, -3.6F})}},
      {"TrueDivide", {ints({1}, {7}), ints({1}, {2})}, {}, {floats({1}, {3.5F})}},
      {"FloorDivide", {a, b}, {}, {floats({2, 2}, {-4, -1, 0, -4})}},
      // FloorDivide rounds down. x / 0 is 0, and the smallest integer / -1 wraps around.
      {"FloorDivide", {i, j}, {}, {ints({2, 3}, {3, -4, -4, 3, 0, INT32_MIN})}},
      {"Mod", {a, b}, {}, {floats({2, 2}, {1, 0, 0, -1})}},
      {"Mod", {i, j}, {}, {ints({2, 3}, {1, 1, -1, -1, 0, 0})}},
      {"Power",
       {floats({3}, {2, 9, -2}), floats({3}, {10, 0.5F, 3})},
       {},
       {floats({3}, {1024, 3, -8})}},
      {"Power",
       {ints({6}, {2, -3, 5, 1, -1, 65536}), ints({6}, {10, 3, 0, -4, -3, 2})},
       {},
       {ints({6}, {1024, -27, 1, 1, -1, 0})}},
      {"Maximum", {a, b}, {}, {floats({2, 2}, {2, 2.5F, 2, 9})}},
      {"Maximum",
       {floats({3}, {NAN, 1, NAN}), floats({3}, {1, NAN, NAN})},
       {},
       {floats({3}, {NAN, NAN, NAN})}},
      {"Minimum", {a, b}, {}, {floats({2, 2}, {-7, -2.5F, 0, -2.5F})}},
      {"Minimum",
       {floats({3}, {NAN, 1, 2}), floats({3}, {1, NAN, 1})},
       {},
       {floats({3}, {NAN, NAN, 1})}},
      {"Equal",
       {floats({3}, {1, NAN, -0.0F}), floats({3}, {1, NAN, 0})},
       {},
       {bools({3}, {1, 0, 1})}},
      {"NotEqual",
       {floats({3}, {1, NAN, -0.0F}), floats({3}, {1, NAN, 0})},
       {},
       {bools({3}, {0, 1, 0})}},
      {"Greater", {a, b}, {}, {bools({2, 2}, {0, 1, 0, 1})}},
      {"GreaterEqual", {b, b}, {}, {bools({2}, {1, 1})}},
      {"Less", {a, b}, {}, {bools({2, 2}, {1, 0, 1, 0})}},
      {"LessEqual", {floats({2}, {NAN, 1}), floats({2}, {NAN, 1})}, {}, {bools({2}, {0, 1})}},
      {"LogicalAnd", {yes_no, floats({2, 1}, {3, 0})}, {}, {bools({2, 2}, {1, 0, 0, 0})}},
      {"LogicalOr", {yes_no, ints({2, 1}, {0, 4})}, {}, {bools({2, 2}, {1, 0, 1, 1})}},
      {"LogicalXor", {yes_no, bools({2, 1}, {1, 0})}, {}, {bools({2, 2}, {0, 1, 1, 0})}},
      {"Where",
       {yes_no, ints({2}, {1, 2}), floats({2, 1}, {0.5F, -1})},
       {},
       {floats({2, 2}, {1, 0.5F, 1, -1})}},
      {"Matmul", {m, floats({3, 1}, {1, 0, -1})}, {}, {floats({2, 1}, {-2, -2})}},
      {"Matmul", {m, floats({3}, {1, 1, 1})}, {}, {floats({2}, {6, 15})}},
      {"Matmul", {floats({2}, {1, 2}), m}, {}, {floats({3}, {9, 12, 15})}},
      {"Einsum",
       {m, floats({3, 2}, {1, 0, 0, 1, 2, 2})},
       dict({{"subscripts", "ab,bc->ca"}}),
       {floats({2, 2}, {7, 16, 8, 17})}},
      {"Outer",
       {floats({2}, {1, 2}), floats({3}, {3, 4, 5})},
       {},
       {floats({2, 3}, {3, 4, 5, 6, 8, 10})}},
      {"Take",
       {m, ints({2, 2}, {0, -1, 1, 1})},
       dict({{"axis", 1}}),
       {floats({2, 2, 2}, {1, 3, 2, 2, 4, 6, 5, 5})}},
      {"Take", {m, ints({2}, {0, -1})}, {}, {floats({2}, {1, 6})}},
      {"TakeAlongAxis", {m, ints({2, 1}, {2, -3})}, dict({{"axis", 1}}), {floats({2, 1}, {3, 4})}},
      {"TakeAlongAxis", {m, ints({2}, {5, 0})}, {}, {floats({2}, {6, 1})}},
  };
}

}  // namespace maskflow::test
