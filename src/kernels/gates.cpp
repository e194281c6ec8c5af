// SPDX-License-Identifier: MIT
#include "kernels/gates.hpp"

#include "kernels/math.hpp"

namespace maskflow::kernels {
namespace {

// Calls f(offset, count) for each vector of a row; the last one may be partial.
template <class F>
void for_vectors(std::size_t n, F&& f) {
  for (std::size_t i = 0; i < n; i += kLanes) f(i, n - i < kLanes ? n - i : kLanes);
}

Vec load(const float* from, std::size_t count) {
  return count == kLanes ? Vec::load_unaligned(from) : load_partial(from, count);
}

void store(const Vec& v, float* to, std::size_t count) {
  if (count == kLanes) {
    v.store_unaligned(to);
  } else {
    store_partial(v, to, count);
  }
}

Vec blend(const Vec& z, const Vec& candidate, const Vec& h) {
  return xsimd::fma(z, h - candidate, candidate);
}

}  // namespace

void lstm_update(const float* gates, float* c, float* h, std::size_t lanes, std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const float* g = gates + lane * 4 * units;
    float* cell = c + lane * units;
    float* hidden = h + lane * units;
    for_vectors(units, [&](std::size_t i, std::size_t n) {
      const Vec input = sigmoid(load(g + i, n));
      const Vec forget = sigmoid(load(g + units + i, n));
      const Vec candidate = gate_tanh(load(g + 2 * units + i, n));
      const Vec output = sigmoid(load(g + 3 * units + i, n));
      const Vec next = xsimd::fma(forget, load(cell + i, n), input * candidate);
      store(next, cell + i, n);
      store(output * gate_tanh(next), hidden + i, n);
    });
  }
}

void gru_update(const float* x, const float* inner, float* h, std::size_t lanes,
                std::size_t units) {
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    const float* from_x = x + lane * 3 * units;
    const float* from_h = inner + lane * 3 * units;
    float* hidden = h + lane * units;
    for_vectors(units, [&](std::size_t i, std::size_t n) {
      const Vec z = sigmoid(load(from_x + i, n) + load(from_h + i, n));
      const Vec r = sigmoid(load(from_x + units + i, n) + load(from_h + units + i, n));
      const Vec candidate = gate_tanh(
          xsimd::fma(r, load(from_h + 2 * units + i, n), load(from_x + 2 * units + i, n)));
      store(blend(z, candidate, load(hidden + i, n)), hidden + i, n);
    });
  }
}

void gru_blend(const float* z, const float* candidate, float* h, std::size_t n) {
  for_vectors(n, [&](std::size_t i, std::size_t count) {
    store(blend(load(z + i, count), load(candidate + i, count), load(h + i, count)), h + i, count);
  });
}

}  // namespace maskflow::kernels
