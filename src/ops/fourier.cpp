// SPDX-License-Identifier: MIT
// Discrete Fourier transforms along the last axis. Complex numbers are pairs of tensors, as in
// Keras. The transforms compute in double.
#include "ops/fourier.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

struct Complex {
  double real = 0;
  double imaginary = 0;
};
Complex operator*(const Complex& a, const Complex& b) {
  return {a.real * b.real - a.imaginary * b.imaginary, a.real * b.imaginary + a.imaginary * b.real};
}
Complex operator+(const Complex& a, const Complex& b) {
  return {a.real + b.real, a.imaginary + b.imaginary};
}
Complex operator-(const Complex& a, const Complex& b) {
  return {a.real - b.real, a.imaginary - b.imaginary};
}

// e^(i 2 pi part / whole) for 0 <= part < whole: a multiple of a quarter turn, times the series of
// the exponential function for the rest.
Complex turned(std::uint64_t part, std::uint64_t whole) {
  constexpr double kTwoPi = 6.28318530717958647692;
  const std::uint64_t quarter = (4 * part + whole / 2) / whole;
  const auto rest = static_cast<double>(static_cast<std::int64_t>(4 * part - quarter * whole));
  const Complex angle{0, kTwoPi / 4 * rest / static_cast<double>(whole)};
  Complex term{1, 0};
  Complex sum{1, 0};
  for (int n = 1; n < 20; ++n) {
    term = term * Complex{angle.real / n, angle.imaginary / n};
    sum = sum + term;
  }
  constexpr Complex kQuarters[] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
  return sum * kQuarters[quarter % 4];
}

// Transforms a power of 2 of numbers in place (Cooley and Tukey 1965). roots[k] is e^(i 2 pi k /
// n).
void transform_power(std::vector<Complex>& x, const std::vector<Complex>& roots) {
  const std::size_t n = x.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {
    std::size_t bit = n / 2;
    for (; (j & bit) != 0; bit /= 2) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(x[i], x[j]);
  }
  for (std::size_t half = 1; half < n; half *= 2) {
    for (std::size_t first = 0; first < n; first += 2 * half) {
      for (std::size_t k = 0; k < half; ++k) {
        Complex& low = x[first + k];
        Complex& high = x[first + k + half];
        const Complex moved = high * roots[k * (n / 2 / half)];
        high = low - moved;
        low = low + moved;
      }
    }
  }
}

std::vector<Complex> roots_of(std::size_t n) {
  std::vector<Complex> roots(n);
  for (std::size_t k = 0; k < n; ++k) roots[k] = turned(k, n);
  return roots;
}

// Transforms rows of n numbers. Other lengths than powers of 2 become a convolution with a chirp,
// which is computed by transforms of a power of 2 (Bluestein 1970).
class Transform {
 public:
  explicit Transform(std::size_t n) : n_(n) {
    const bool is_power = std::has_single_bit(n);
    const std::size_t length = is_power ? n : std::bit_ceil(2 * n - 1);
    roots_ = roots_of(length);
    if (is_power) return;
    chirp_.resize(n);
    filter_.resize(length);
    for (std::size_t k = 0; k < n; ++k) {
      chirp_[k] = turned(std::uint64_t{k} * k % (2 * n), 2 * n);
      const Complex conjugate{chirp_[k].real, -chirp_[k].imaginary};
      filter_[k] = conjugate;
      filter_[(length - k) % length] = conjugate;
    }
    transform_power(filter_, roots_);
  }

  // Sums of x_j e^(i 2 pi j k / n).
  void run(std::vector<Complex>& x) {
    if (chirp_.empty()) return transform_power(x, roots_);
    const std::size_t length = roots_.size();
    std::vector<Complex> padded(length);
    for (std::size_t k = 0; k < n_; ++k) padded[k] = x[k] * chirp_[k];
    transform_power(padded, roots_);
    for (std::size_t k = 0; k < length; ++k) padded[k] = padded[k] * filter_[k];
    // A second transform in the same direction reverses the order and multiplies by the length.
    transform_power(padded, roots_);
    const double scale = 1 / static_cast<double>(length);
    for (std::size_t k = 0; k < n_; ++k) {
      const Complex& sum = padded[(length - k) % length];
      x[k] = Complex{sum.real * scale, sum.imaginary * scale} * chirp_[k];
    }
  }

 private:
  std::size_t n_;
  std::vector<Complex> roots_;
  std::vector<Complex> chirp_;   // e^(i pi k^2 / n); empty for a power of 2.
  std::vector<Complex> filter_;  // The transform of the conjugate chirp.
};

void check_pair(Operands x) {
  if (x.size() != 2 || x[0].shape() != x[1].shape() || x[0].rank() == 0) {
    shape_error("needs a real and an imaginary part: two tensors of one shape, with an axis");
  }
}

Tensors fft(Operands x, const OpAttributes&) {
  check_pair(x);
  return fourier_transform(x[0], x[1], -1);
}

// x with n elements along its last axis: cut, or continued with zeros.
Tensor with_length(const Tensor& x, Dim n) {
  const int last = x.rank() - 1;
  const Dim size = x.shape()[last];
  if (size >= n) return ops::slice_axis(x, last, 0, n);
  Shape shape = x.shape();
  shape.set(last, n - size);
  return ops::concatenate(std::array{x, Tensor::zeros(DType::kFloat32, shape)}, last);
}

Dim length_of(const OpAttributes& attributes, Dim fallback) {
  const Dim n = attributes.is_null("fft_length") ? fallback : attributes.integer("fft_length");
  if (n < 1) value_error("'fft_length' is ", n, " but must be at least 1");
  return n;
}

Tensors rfft(Operands operands, const OpAttributes& attributes) {
  if (operands[0].rank() == 0) shape_error("needs a tensor with an axis");
  const Dim n = length_of(attributes, operands[0].shape().back());
  const Tensor x = with_length(ops::cast(operands[0], DType::kFloat32), n);
  const Tensor zeros = Tensor::zeros(DType::kFloat32, x.shape());
  Tensors result = apply_op("FFT", std::array{x, zeros}, {});
  for (Tensor& part : result) part = ops::slice_axis(part, part.rank() - 1, 0, n / 2 + 1);
  return result;
}

// The transform of the conjugate numbers has the same real part as the inverse transform, times n.
Tensors irfft(Operands x, const OpAttributes& attributes) {
  check_pair(x);
  const Dim n = length_of(attributes, 2 * (x[0].shape().back() - 1));
  const int last = x[0].rank() - 1;
  const auto completed = [&](const Tensor& part, double sign) {
    const Tensor half = with_length(ops::cast(part, DType::kFloat32), n / 2 + 1);
    const Tensor rest = ops::flip(ops::slice_axis(half, last, 1, n - n / 2), last);
    return ops::concatenate(std::array{half, ops::multiply(rest, ops::number(sign))}, last);
  };
  const Tensor conjugate = ops::negative(completed(x[1], -1));
  const Tensors whole = apply_op("FFT", std::array{completed(x[0], 1), conjugate}, {});
  return {ops::multiply(whole[0], ops::number(1 / static_cast<double>(n)))};
}

constexpr OpAttribute kLengthSettings[] = {
    {"fft_length",
     "number | null",
     "Number of elements that are transformed: x is cut or continued with zeros; null: all.",
     false,
     {}}};
constexpr OpAttribute kInverseSettings[] = {
    {"fft_length",
     "number | null",
     "Number of elements of the result; null: the even number that fits.",
     false,
     {}}};

constexpr OpDef kOps[] = {
    {"FFT",
     "xs*",
     {},
     "The discrete Fourier transform along the last axis. Operands and results: real and imaginary "
     "part.",
     fft,
     nullptr,
     true},
    {"RFFT", "x", kLengthSettings,
     "The Fourier transform of real numbers along the last axis: real and imaginary part of the "
     "frequencies that are not negative.",
     rfft, nullptr, true},
    {"IRFFT", "xs*", kInverseSettings, "The inverse of rfft. Operands: real and imaginary part.",
     irfft},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace

Tensors fourier_transform(const Tensor& real, const Tensor& imaginary, double sign) {
  const Tensor re = ops::cast(real, DType::kFloat32);
  const Tensor im = ops::cast(imaginary, DType::kFloat32);
  Tensors result{Tensor(DType::kFloat32, re.shape()), Tensor(DType::kFloat32, re.shape())};
  const std::size_t n = re.shape().length(-1);
  if (n == 0) value_error("cannot transform an axis of size 0");
  Transform transform(n);
  std::vector<Complex> row(n);
  for (std::size_t first = 0; first < re.size(); first += n) {
    for (std::size_t i = 0; i < n; ++i) {
      row[i] = {static_cast<double>(re.floats()[first + i]),
                sign * static_cast<double>(im.floats()[first + i])};
    }
    // The transform with the opposite sign is the conjugate of that of the conjugate.
    transform.run(row);
    for (std::size_t i = 0; i < n; ++i) {
      result[0].mutable_floats()[first + i] = static_cast<float>(row[i].real);
      result[1].mutable_floats()[first + i] = static_cast<float>(sign * row[i].imaginary);
    }
  }
  return result;
}

}  // namespace maskflow
