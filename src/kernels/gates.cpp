// SPDX-License-Identifier: MIT
#include "kernels/gates.hpp"

#include <algorithm>

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

Vec load(const float* from) { return Vec::load_unaligned(from); }

// z h + (1 - z) candidate, in Keras's form. The form candidate + z (h - candidate) would lose
// digits where candidate is large.
Vec blend(const Vec& z, const Vec& candidate, const Vec& h) {
  return xsimd::fma(z, h, (Vec(1.0F) - z) * candidate);
}

// Several rows, `stride` apart.
struct Parts {
  const float* from;
  std::size_t stride;
  [[nodiscard]] Vec operator()(std::size_t part, std::size_t i) const {
    return load(from + part * stride + i);
  }
};

// Copies of the ends of rows, behind their last whole vector, each padded to one vector. Testing
// for the end at each load instead doubled the time of the whole vectors.
class Tails {
 public:
  Tails(std::size_t begin, std::size_t n) : begin_(begin), n_(n) {}
  // Copies the ends of `count` rows, one after the other.
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
  void put_back(const float* from, float* row) const { std::copy_n(from, n_, row + begin_); }

 private:
  std::size_t begin_, n_;
  float room_[7 * kLanes] = {};
  float* free_ = room_;
};

// Two passes over the rows: with one, a third of the time is spent waiting, because tanh of the new
// state depends on the result just computed. n must be a multiple of kLanes.
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

// Two passes, too. In between, x holds z and the sums of the candidate. n must be a multiple of
// kLanes.
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
    Tails tails(whole, units - whole);
    const Parts gate_tails{tails.take(parts, 4), kLanes};
    float* const c_tail = tails.take(c);
    float* const h_tail = tails.take(h);
    lstm_vectors(gate_tails, c_tail, h_tail, kLanes);
    tails.put_back(c_tail, c);
    tails.put_back(h_tail, h);
  }
}

void gru_update(float* x, const float* inner, float* h, std::size_t lanes, std::size_t units) {
  const std::size_t whole = units - units % kLanes;
  for (std::size_t lane = 0; lane < lanes; ++lane, x += 3 * units, inner += 3 * units, h += units) {
    const Parts inner_parts{inner, units};
    gru_vectors(x, units, inner_parts, h, whole);
    if (whole == units) continue;
    Tails tails(whole, units - whole);
    float* const x_tails = tails.take({x, units}, 3);
    const Parts inner_tails{tails.take(inner_parts, 3), kLanes};
    float* const h_tail = tails.take(h);
    gru_vectors(x_tails, kLanes, inner_tails, h_tail, kLanes);
    tails.put_back(h_tail, h);
  }
}

void gru_blend(const float* z, const float* candidate, float* h, std::size_t n) {
  std::size_t i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    blend(load(z + i), load(candidate + i), load(h + i)).store_unaligned(h + i);
  }
  if (i == n) return;
  Tails tails(i, n - i);
  float* const h_tail = tails.take(h);
  blend(load(tails.take(z)), load(tails.take(candidate)), load(h_tail)).store_unaligned(h_tail);
  tails.put_back(h_tail, h);
}

}  // namespace maskflow::kernels
