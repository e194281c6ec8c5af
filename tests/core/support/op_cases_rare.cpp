// SPDX-License-Identifier: MIT
// Ops of maskflow/train that few models contain. tests/fixtures/ops has calls of real Keras.
#include <cmath>

#include "support/op_cases.hpp"

namespace maskflow::test {
namespace {

const float kInfinity = INFINITY;
const float kPi = 3.14159265F;

std::vector<OpCase> functions() {
  const Tensor x = floats({4}, {-2.5F, -0.4F, 0.3F, 1.7F});
  const Tensor inside = floats({3}, {-0.9F, 0.1F, 0.6F});
  const auto of = [](const Tensor& points, double (*f)(double)) {
    Tensor y(DType::kFloat32, points.shape());
    for (std::size_t i = 0; i < points.size(); ++i) {
      y.mutable_floats()[i] = static_cast<float>(f(static_cast<double>(points.floats()[i])));
    }
    return y;
  };
  return {
      {"Deg2rad", {floats({2}, {180, -90})}, {}, {floats({2}, {kPi, -kPi / 2})}},
      {"Rad2deg", {floats({1}, {kPi})}, {}, {floats({1}, {180})}},
      {"Erfc", {x}, {}, {of(x, std::erfc)}},
      {"Erfc", {floats({3}, {9, kInfinity, -kInfinity})}, {}, {floats({3}, {4.13703e-37F, 0, 2})}},
      {"Erfinv", {of(inside, std::erf)}, {}, {inside}},
      {"Erfinv", {floats({3}, {1, -1, 2})}, {}, {floats({3}, {kInfinity, -kInfinity, NAN})}},
      {"I0", {floats({3}, {0, 1, -2})}, {}, {floats({3}, {1, 1.26606588F, 2.27958530F})}},
      {"Fabs", {ints({2}, {-3, 4})}, {}, {floats({2}, {3, 4})}},
      {"Sinc", {floats({3}, {0, 0.5F, -1.5F})}, {}, {floats({3}, {1, 2 / kPi, -2 / (3 * kPi)})}},
      {"Fmax",
       {floats({3}, {1, NAN, NAN}), floats({3}, {0, 5, NAN})},
       {},
       {floats({3}, {1, 5, NAN})}},
      {"Fmin", {floats({2}, {1, NAN}), floats({2}, {0, 5})}, {}, {floats({2}, {0, 5})}},
      {"Fmod", {floats({2}, {7.5F, -7.5F}), floats({2}, {2, 2})}, {}, {floats({2}, {1.5F, -1.5F})}},
      {"Fmod", {ints({3}, {-7, 5, 5}), ints({3}, {3, 0, -1})}, {}, {ints({3}, {-1, 0, 0})}},
      {"Heaviside", {floats({3}, {-1, 0, 2}), scalar(0.5F)}, {}, {floats({3}, {0, 0.5F, 1})}},
      {"Ldexp", {floats({2}, {3, 5}), ints({2}, {2, -1})}, {}, {floats({2}, {12, 2.5F})}},
      {"Ldexp", {floats({1}, {0.7F}), floats({1}, {3})}, {}, {floats({1}, {5.6F})}},
      {"Logaddexp2",
       {floats({2}, {1000, -kInfinity}), floats({2}, {1000, -kInfinity})},
       {},
       {floats({2}, {1001, -kInfinity})}},
      {"Logaddexp2", {floats({1}, {1}), floats({1}, {3})}, {}, {floats({1}, {3.32192809F})}},
      {"Nextafter", {floats({1}, {1}), floats({1}, {2})}, {}, {floats({1}, {1.00000012F})}},
  };
}

std::vector<OpCase> predicates() {
  const Tensor odd = floats({4}, {NAN, kInfinity, -kInfinity, 0});
  const Tensor near = floats({2}, {1, 1.000001F});
  return {
      {"Isposinf", {odd}, {}, {bools({4}, {0, 1, 0, 0})}},
      {"Isneginf", {odd}, {}, {bools({4}, {0, 0, 1, 0})}},
      {"Signbit", {floats({4}, {-1, -0.0F, 0, 2})}, {}, {bools({4}, {1, 1, 0, 0})}},
      {"Isclose", {near, floats({2}, {1.1F, 1})}, {}, {bools({2}, {0, 1})}},
      {"Isclose", {odd, odd}, {}, {bools({4}, {0, 1, 1, 1})}},
      {"Isclose", {odd, odd}, dict({{"equal_nan", true}}), {bools({4}, {1, 1, 1, 1})}},
      {"Isclose", {scalar(1), scalar(1.1F), scalar(0), scalar(0.2F)}, {}, {bools({}, {1})}},
      {"AllClose", {near, scalar(1)}, {}, {bools({}, {1})}},
      {"AllClose", {near, scalar(1)}, dict({{"rtol", 0}, {"atol", 0}}), {bools({}, {0})}},
  };
}

std::vector<OpCase> integers() {
  const Tensor x = ints({2}, {12, -8});
  const Tensor y = ints({2}, {10, 6});
  return {
      {"BitwiseAnd", {x, y}, {}, {ints({2}, {8, 0})}},
      {"BitwiseOr", {x, y}, {}, {ints({2}, {14, -2})}},
      {"BitwiseXor", {x, y}, {}, {ints({2}, {6, -2})}},
      {"BitwiseAnd", {bools({2}, {1, 0}), bools({2}, {1, 1})}, {}, {bools({2}, {1, 0})}},
      {"BitwiseInvert", {x}, {}, {ints({2}, {-13, 7})}},
      {"BitwiseInvert", {bools({1}, {1})}, {}, {bools({1}, {0})}},
      {"BitwiseLeftShift", {x, ints({}, {1})}, {}, {ints({2}, {24, -16})}},
      {"BitwiseLeftShift", {x, ints({}, {32})}, {}, {ints({2}, {0, 0})}},
      {"BitwiseRightShift", {x, ints({}, {2})}, {}, {ints({2}, {3, -2})}},
      {"BitwiseRightShift", {x, ints({}, {99})}, {}, {ints({2}, {0, -1})}},
      {"Gcd", {x, y}, {}, {ints({2}, {2, 2})}},
      {"Lcm", {x, y}, {}, {ints({2}, {60, 24})}},
      {"Lcm", {ints({1}, {0}), ints({1}, {0})}, {}, {ints({1}, {0})}},
      {"View", {floats({1}, {1})}, dict({{"dtype", "int32"}}), {ints({1}, {1065353216})}},
  };
}

std::vector<OpCase> without_nan() {
  const Tensor x = floats({2, 3}, {1, NAN, 4, NAN, NAN, NAN});
  const Tensor row = floats({3}, {1, NAN, 4});
  const Dict last = dict({{"axis", 1}});
  return {
      {"Nansum", {x}, last, {floats({2}, {5, 0})}},
      {"Nansum", {ints({2}, {1, 2})}, {}, {ints({}, {3})}},
      {"Nanprod", {x}, last, {floats({2}, {4, 1})}},
      {"Nanmean", {x}, last, {floats({2}, {2.5F, NAN})}},
      {"Nanvar", {row}, {}, {scalar(2.25F)}},
      {"Nanstd", {row}, dict({{"keepdims", true}}), {floats({1}, {1.5F})}},
      {"Nanmax", {x}, last, {floats({2}, {4, NAN})}},
      {"Nanmin", {x}, last, {floats({2}, {1, NAN})}},
      {"Nanargmax", {x}, last, {ints({2}, {2, -1})}},
      {"Nanargmin", {x}, last, {ints({2}, {0, -1})}},
      {"Nancumsum", {row}, dict({{"axis", 0}}), {floats({3}, {1, 1, 5})}},
      {"Nancumprod", {row}, {}, {floats({3}, {1, 1, 4})}},
      {"Nanmedian", {x}, last, {floats({2}, {2.5F, NAN})}},
      {"Nanquantile",
       {x, floats({2}, {0.25F, 0.5F})},
       last,
       {floats({2, 2}, {1.75F, NAN, 2.5F, NAN})}},
      {"Nanpercentile", {row, scalar(25)}, dict({{"keepdims", true}}), {floats({1}, {1.75F})}},
  };
}

std::vector<OpCase> arranged() {
  const Tensor x = floats({2, 2}, {1, 2, 3, 4});
  const Tensor row = floats({4}, {1, 2, 3, 4});
  const Dict two = dict({{"indices_or_sections", 2}});
  return {
      {"Append", {x, row}, {}, {floats({8}, {1, 2, 3, 4, 1, 2, 3, 4})}},
      {"Append", {x, x}, dict({{"axis", 1}}), {floats({2, 4}, {1, 2, 1, 2, 3, 4, 3, 4})}},
      {"Vsplit", {x}, two, {floats({1, 2}, {1, 2}), floats({1, 2}, {3, 4})}},
      {"Hsplit", {row}, two, {floats({2}, {1, 2}), floats({2}, {3, 4})}},
      {"Dsplit",
       {floats({1, 1, 2}, {5, 6})},
       two,
       {floats({1, 1, 1}, {5}), floats({1, 1, 1}, {6})}},
      {"ArraySplit", {floats({3}, {1, 2, 3})}, two, {floats({2}, {1, 2}), floats({1}, {3})}},
      {"Dstack", {row, row}, {}, {floats({1, 4, 2}, {1, 1, 2, 2, 3, 3, 4, 4})}},
      {"Fliplr", {x}, {}, {floats({2, 2}, {2, 1, 4, 3})}},
      {"Flipud", {x}, {}, {floats({2, 2}, {3, 4, 1, 2})}},
      {"Rot90", {x}, {}, {floats({2, 2}, {2, 4, 1, 3})}},
      {"Rot90", {x}, dict({{"k", -1}}), {floats({2, 2}, {3, 1, 4, 2})}},
      {"Meshgrid",
       {floats({2}, {1, 2}), floats({1}, {9})},
       {},
       {floats({1, 2}, {1, 2}), floats({1, 2}, {9, 9})}},
      {"Diag",
       {floats({2}, {1, 2})},
       dict({{"k", 1}}),
       {floats({3, 3}, {0, 1, 0, 0, 0, 2, 0, 0, 0})}},
      {"Diag", {x}, {}, {floats({2}, {1, 4})}},
      {"Diagflat", {floats({1, 2}, {1, 2})}, {}, {floats({2, 2}, {1, 0, 0, 2})}},
      {"Kron",
       {floats({2}, {1, 10}), floats({1, 2}, {1, 2})},
       {},
       {floats({1, 4}, {1, 2, 10, 20})}},
      {"Argpartition", {floats({3}, {3, 1, 2})}, dict({{"kth", 1}}), {ints({3}, {1, 2, 0})}},
      {"UnravelIndex",
       {ints({2}, {4, -1})},
       dict({{"shape", list({2, 3})}}),
       {ints({2}, {1, 1}), ints({2}, {1, 2})}},
  };
}

std::vector<OpCase> series() {
  const Tensor x = floats({3}, {1, 2, 4});
  return {
      {"Ptp", {floats({2, 2}, {1, 5, 2, 9})}, dict({{"axis", 1}}), {floats({2}, {4, 7})}},
      {"Moments", {x}, dict({{"axes", 0}}), {scalar(7.0F / 3), scalar(14.0F / 9)}},
      {"Trapezoid", {x}, dict({{"dx", 2}}), {scalar(9)}},
      {"Trapezoid", {floats({2, 2}, {1, 3, 2, 2}), floats({2}, {0, 2})}, {}, {floats({2}, {4, 4})}},
      {"Vander", {floats({2}, {2, 3})}, {}, {floats({2, 2}, {2, 1, 3, 1})}},
      {"Vander",
       {ints({1}, {2})},
       dict({{"n", 3}, {"increasing", true}}),
       {ints({1, 3}, {1, 2, 4})}},
      {"Correlate", {x, floats({2}, {1, -1})}, {}, {floats({2}, {-1, -2})}},
      {"Correlate",
       {x, floats({2}, {1, -1})},
       dict({{"mode", "full"}}),
       {floats({4}, {-1, -1, -2, 4})}},
      {"Cross", {floats({3}, {1, 0, 0}), floats({3}, {0, 1, 0})}, {}, {floats({3}, {0, 0, 1})}},
      {"Cross", {floats({2}, {1, 2}), floats({2}, {3, 4})}, {}, {scalar(-2)}},
      {"Corrcoef", {floats({2, 3}, {1, 2, 3, 3, 2, 1})}, {}, {floats({2, 2}, {1, -1, -1, 1})}},
      {"CDist",
       {floats({1, 2}, {0, 0}), floats({2, 2}, {3, 4, 6, 8})},
       {},
       {floats({1, 2}, {5, 10})}},
      {"PSNR", {floats({2}, {0, 2}), floats({2}, {1, 1})}, dict({{"max_val", 10}}), {scalar(20)}},
      {"PSNR", {ints({1}, {3}), ints({1}, {3})}, dict({{"max_val", 1}}), {scalar(kInfinity)}},
  };
}

std::vector<OpCase> signals() {
  const Tensor x = floats({4}, {1, 2, 3, 4});
  const Tensor zeros = Tensor::zeros(DType::kFloat32, {4});
  const Tensor three = floats({3}, {1, 2, 4});
  const float root = std::sqrt(3.0F);
  const Dict frames = dict({{"sequence_length", 2}, {"sequence_stride", 1}});
  const Dict transforms = dict({{"sequence_length", 2},
                                {"sequence_stride", 2},
                                {"fft_length", 2},
                                {"window", nullptr},
                                {"center", false}});
  return {
      {"FFT", {x, zeros}, {}, {floats({4}, {10, -2, -2, -2}), floats({4}, {0, 2, 0, -2})}},
      {"FFT",
       {three, Tensor::zeros(DType::kFloat32, {3})},
       {},
       {floats({3}, {7, -2, -2}), floats({3}, {0, root, -root})}},
      {"RFFT", {x}, {}, {floats({3}, {10, -2, -2}), floats({3}, {0, 2, 0})}},
      {"IRFFT", {floats({3}, {10, -2, -2}), floats({3}, {0, 2, 0})}, {}, {x}},
      {"ExtractSequences", {three}, frames, {floats({2, 2}, {1, 2, 2, 4})}},
      {"STFT", {x}, transforms, {floats({2, 2}, {3, -1, 7, -1}), floats({2, 2}, {0, 0, 0, 0})}},
      {"ISTFT", {floats({2, 2}, {3, -1, 7, -1}), floats({2, 2}, {0, 0, 0, 0})}, transforms, {x}},
      {"Hanning", {}, dict({{"x", 3}}), {floats({3}, {0, 1, 0})}},
      {"Hamming", {}, dict({{"x", 3}}), {floats({3}, {0.08F, 1, 0.08F})}},
      {"Blackman", {}, dict({{"x", 3}}), {floats({3}, {0, 1, 0})}},
      {"Bartlett", {}, dict({{"x", 5}}), {floats({5}, {0, 0.5F, 1, 0.5F, 0})}},
      {"Kaiser", {}, dict({{"x", 3}, {"beta", 1}}), {floats({3}, {0.78984831F, 1, 0.78984831F})}},
      {"Tri", {}, dict({{"n", 2}, {"m", 3}}), {floats({2, 3}, {1, 0, 0, 1, 1, 0})}},
      {"Logspace", {}, dict({{"start", 0}, {"stop", 2}, {"num", 3}}), {floats({3}, {1, 10, 100})}},
      {"Geomspace",
       {},
       dict({{"start", -2}, {"stop", -32}, {"num", 3}}),
       {floats({3}, {-2, -8, -32})}},
  };
}

std::vector<OpCase> layers_as_ops() {
  const Tensor steps = floats({1, 3, 2}, {1, 2, 3, 4, 5, 6});
  const Tensor depthwise = floats({2, 2, 1}, {1, 10, -1, 1});
  return {
      {"Conv", {steps, floats({1, 1, 2}, {2, 3})}, {}, {floats({1, 3, 2}, {2, 6, 6, 12, 10, 18})}},
      {"DepthwiseConv", {steps, depthwise}, {}, {floats({1, 2, 2}, {-2, 24, -2, 46})}},
      {"SeparableConv",
       {steps, depthwise, floats({1, 2, 1}, {1, 1})},
       {},
       {floats({1, 2, 1}, {22, 44})}},
      {"ConvTranspose",
       {floats({1, 2, 1}, {1, 2}), floats({2, 1, 1}, {1, 0.5F})},
       dict({{"strides", 2}}),
       {floats({1, 4, 1}, {1, 0.5F, 2, 1})}},
      {"BatchNorm",
       {floats({1, 2}, {3, 5}), floats({2}, {1, 1}), floats({2}, {4, 4}), floats({2}, {0.5F, 0}),
        floats({2}, {1, 3})},
       dict({{"axis", 1}, {"epsilon", 0}}),
       {floats({1, 2}, {1.5F, 6})}},
      {"SegmentProd",
       {floats({3}, {2, 5, 3}), ints({3}, {0, 1, 0})},
       dict({{"num_segments", 3}}),
       {floats({3}, {6, 5, 1})}},
  };
}

}  // namespace

std::vector<OpCase> rare_cases() {
  std::vector<OpCase> all;
  for (const auto& cases : {functions(), predicates(), integers(), without_nan(), arranged(),
                            series(), signals(), layers_as_ops()}) {
    all.insert(all.end(), cases.begin(), cases.end());
  }
  return all;
}

}  // namespace maskflow::test
