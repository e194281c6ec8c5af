// SPDX-License-Identifier: MIT
#include "kernels/gates.hpp"

#include <algorithm>

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

Vec load(const float* from) { return Vec::load_unaligned(from); }

// z h + (1 - z) candidate, in Keras's form: candidate + z (h - candidate) would lose what is left
// of large numbers.
Vec blend(const Vec& z, const Vec& candidate, const Vec& h) {
  return xsimd::fma(z, h, (Vec(1.0F) - z) * candidate);
}

// n values of each of several rows that lie `stride` apart.
struct Parts {
  const float* from;
  std::size_t stride;
  [[nodiscard]] Vec operator()(std::size_t part, std::size_t i) const {
    return load(from + part * stride + i);
  }
};

// What is left of rows behind their whole vectors, as rows of one vector. (A test for the end at
// each load doubled the time of the whole vectors.)
class Rest {
 public:
  Rest(std::size_t begin, std::size_t n) : begin_(begin), n_(n) {}
  // One behind the other.
  float* take(const Parts& parts, std::size_t count) {
    float* const to = free_;
    for (std::size_t part = 0; part < count; ++part) take(parts.from + part * parts.stride);
    return to;
  }
  float* take(const float* row) {
    float* const to = free_;
    std::copy_n(row + begin_, n_, to);
    free_ += kLanes;
    return to;
  }
  void give(const float* from, float* row) const { std::copy_n(from, n_, row + begin_); }

 private:
  std::size_t begin_, n_;
  float room_[7 * kLanes] = {};
  float* free_ = room_;
};

// The rows are gone through twice: a third of the time goes into waiting where tanh of the new
// state follows upon what made the state. n: a multiple of kLanes.
[[gnu::noinline]] void lstm_vectors(const Parts& gates, float* c, float* h, std::size_t n) {
  for (std::size_t i = 0; i < n; i += kLanes) {
    const MathNumbers* k = hidden_numbers();
    const auto [input, forget, candidate] =
        exp_parts<3>({sigmoid_exponent(gates(0, i), k), sigmoid_exponent(gates(1, i), k),
                      tanh_exponent(gates(2, i), k)},
                     k);
    const Vec added = (sigmoid_of(input, k) * tanh_of(candidate, k)).value();
    xsimd::fma(sigmoid_of(forget, k).value(), load(c + i), added).store_unaligned(c + i);
  }
  for (std::size_t i = 0; i < n; i += kLanes) {
    const MathNumbers* k = hidden_numbers();
    const auto [output, next] =
        exp_parts<2>({sigmoid_exponent(gates(3, i), k), tanh_exponent(load(c + i), k)}, k);
    (sigmoid_of(output, k) * tanh_of(next, k)).value().store_unaligned(h + i);
  }
}

// Twice as well; between, x holds z and the sums of the candidate. n: a multiple of kLanes.
[[gnu::noinline]] void gru_vectors(float* to, std::size_t stride, const Parts& inner, float* h,
                                   std::size_t n) {
  const Parts x{to, stride};
  for (std::size_t i = 0; i < n; i += kLanes) {
    const MathNumbers* k = hidden_numbers();
    const auto [z, r] = exp_parts<2>(
        {sigmoid_exponent(x(0, i) + inner(0, i), k), sigmoid_exponent(x(1, i) + inner(1, i), k)},
        k);
    const Vec reset = sigmoid_of(r, k).value();
    sigmoid_of(z, k).value().store_unaligned(to + i);
    xsimd::fma(reset, inner(2, i), x(2, i)).store_unaligned(to + 2 * stride + i);
  }
  for (std::size_t i = 0; i < n; i += kLanes) {
    blend(x(0, i), gate_tanh(x(2, i)), load(h + i)).store_unaligned(h + i);
  }
}

}  // namespace

void lstm_update(const float* gates, float* c, float* h, std::size_t lanes, std::size_t units) {
  const std::size_t whole = units - units % kLanes;
  for (std::size_t lane = 0; lane < lanes; ++lane, gates += 4 * units, c += units, h += units) {
    const Parts parts{gates, units};
    lstm_vectors(parts, c, h, whole);
    if (whole == units) continue;
    Rest rest(whole, units - whole);
    const Parts rest_of_gates{rest.take(parts, 4), kLanes};
    float* const rest_of_c = rest.take(c);
    float* const rest_of_h = rest.take(h);
    lstm_vectors(rest_of_gates, rest_of_c, rest_of_h, kLanes);
    rest.give(rest_of_c, c);
    rest.give(rest_of_h, h);
  }
}

void gru_update(float* x, const float* inner, float* h, std::size_t lanes, std::size_t units) {
  const std::size_t whole = units - units % kLanes;
  for (std::size_t lane = 0; lane < lanes; ++lane, x += 3 * units, inner += 3 * units, h += units) {
    const Parts of_h{inner, units};
    gru_vectors(x, units, of_h, h, whole);
    if (whole == units) continue;
    Rest rest(whole, units - whole);
    float* const rest_of_x = rest.take({x, units}, 3);
    const Parts rest_of_inner{rest.take(of_h, 3), kLanes};
    float* const rest_of_h = rest.take(h);
    gru_vectors(rest_of_x, kLanes, rest_of_inner, rest_of_h, kLanes);
    rest.give(rest_of_h, h);
  }
}

void gru_blend(const float* z, const float* candidate, float* h, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    blend(load(z + i), load(candidate + i), load(h + i)).store_unaligned(h + i);
  }
  if (i == n) return;
  Rest rest(i, n - i);
  float* const rest_of_h = rest.take(h);
  blend(load(rest.take(z)), load(rest.take(candidate)), load(rest_of_h)).store_unaligned(rest_of_h);
  rest.give(rest_of_h, h);
}

}  // namespace maskflow::kernels
