// SPDX-License-Identifier: MIT
// Overlapping parts of signals, their Fourier transforms and their inverse.
#include <algorithm>
#include <cmath>

#include "ops/ops.hpp"

namespace maskflow {
namespace {

// The frames of a signal of `length` elements.
struct Frames {
  Dim size;
  Dim stride;
  [[nodiscard]] Dim count(Dim length) const {
    return length < size ? 0 : (length - size) / stride + 1;
  }
  // Positions of the elements of each frame, [count, size].
  [[nodiscard]] Tensor places(Dim count) const {
    Tensor places(DType::kInt32, {count, size});
    std::int32_t* to = places.mutable_data<std::int32_t>().data();
    for (Dim frame = 0; frame < count; ++frame) {
      for (Dim i = 0; i < size; ++i) *to++ = static_cast<std::int32_t>(frame * stride + i);
    }
    return places;
  }
};

Dim positive(const OpAttributes& attributes, Name name) {
  const Dim value = attributes.integer(name);
  if (value < 1) value_error("'", name, "' is ", value, " but must be at least 1");
  return value;
}

Tensor frames_of(const Tensor& x, const Frames& frames) {
  if (x.rank() == 0) shape_error("needs a tensor with an axis");
  return ops::take(x, frames.places(frames.count(x.shape().back())), -1);
}

Tensors extract_sequences(Operands x, const OpAttributes& attributes) {
  return {frames_of(
      x[0], {positive(attributes, "sequence_length"), positive(attributes, "sequence_stride")})};
}

// Settings of stft and istft.
struct Settings {
  explicit Settings(const OpAttributes& attributes)
      : sequence(positive(attributes, "sequence_length")),
        frames{positive(attributes, "fft_length"), positive(attributes, "sequence_stride")},
        window(Tensor::zeros(DType::kFloat32, {frames.size})),
        center(attributes.flag("center")) {
    if (sequence > frames.size) {
      value_error("'sequence_length' is ", sequence, " but must be at most 'fft_length', ",
                  frames.size);
    }
    const Value value = attributes.get("window");
    const Dim start = (frames.size - sequence) / 2;
    const Dim first = value.is_null() ? 0 : start;
    const Dim count = value.is_null() ? frames.size : sequence;
    for (Dim i = 0; i < count; ++i) window.mutable_floats()[first + i] = weight(value, i);
  }

  Dim sequence;
  Frames frames;  // Of fft_length elements: the window, between zeros.
  Tensor window;
  bool center;

 private:
  [[nodiscard]] float weight(const Value& value, Dim i) const {
    if (value.is_null()) return 1;
    if (value.is_list()) {
      const List& list = value.as_list("window");
      if (std::ssize(list) != sequence) {
        shape_error("'window' has ", list.size(), " numbers but 'sequence_length' is ", sequence);
      }
      return static_cast<float>(list[static_cast<std::size_t>(i)].as_number("window"));
    }
    const std::string name = value.as_string("window");
    if (!has_word("hann hamming", name)) {
      value_error("'window' is '", name, "' but must be 'hann', 'hamming', numbers or null");
    }
    if (sequence == 1) return 1;
    const double mean = name == "hann" ? 0.5 : 0.54;
    constexpr double kTwoPi = 6.28318530717958647692;
    const auto angle =
        static_cast<float>(kTwoPi * static_cast<double>(i) / static_cast<double>(sequence));
    const Tensor cosine = ops::cos(Tensor::scalar(DType::kFloat32, static_cast<double>(angle)));
    return static_cast<float>(mean - (1 - mean) * static_cast<double>(cosine.floats()[0]));
  }
};

Tensors stft(Operands operands, const OpAttributes& attributes) {
  const Settings settings(attributes);
  Tensor x = ops::cast(operands[0], DType::kFloat32);
  if (x.rank() == 0) shape_error("needs a tensor with an axis");
  if (settings.center) {
    const Dim margin = settings.frames.size / 2;
    List widths;
    for (int axis = 0; axis < x.rank(); ++axis) {
      const Dim width = axis + 1 == x.rank() ? margin : 0;
      widths.push_back(List{width, width});
    }
    Dict padding;
    padding["pad_width"] = widths;
    padding["mode"] = "reflect";
    x = apply_op1("Pad", {&x, 1}, padding);
  }
  const Tensor frames = ops::multiply(frames_of(x, settings.frames), settings.window);
  return apply_op("RFFT", {&frames, 1}, {});
}

// Adds overlapping frames, [..., frames, size].
Tensor overlapped(const Tensor& x, const Frames& frames) {
  const Dim count = x.shape()[-2];
  const Dim batch = x.shape().size_between(0, x.rank() - 2);
  const Tensor rows = ops::transpose(x.reshaped({batch, count * frames.size}));
  Dict settings;
  settings["num_segments"] = frames.size + frames.stride * (count - 1);
  const Tensor places = frames.places(count).reshaped({count * frames.size});
  const Tensor sums = ops::transpose(apply_op1("SegmentSum", std::array{rows, places}, settings));
  Shape shape = x.shape().first(x.rank() - 2);
  shape.push_back(sums.shape().back());
  return sums.reshaped(shape);
}

Tensors istft(Operands x, const OpAttributes& attributes) {
  const Settings settings(attributes);
  if (x.size() != 2 || x[0].rank() < 2 || x[0].shape()[-2] == 0) {
    shape_error("needs a real and an imaginary part of shape [..., frames, frequencies]");
  }
  const Frames& frames = settings.frames;
  Dict length;
  length["fft_length"] = frames.size;
  const Tensor parts = ops::multiply(apply_op1("IRFFT", x, length), settings.window);
  const Tensor squares =
      ops::broadcast_to(ops::square(settings.window), {x[0].shape()[-2], frames.size});
  constexpr double kTiny = 1e-10;
  Tensor signal = overlapped(parts, frames);
  // As in Keras, parts without a window are added only.
  if (!attributes.is_null("window")) {
    const Tensor weights = overlapped(squares, frames);
    const Tensor is_weighted = ops::greater(weights, ops::number(kTiny));
    signal = ops::divide(signal, ops::where(is_weighted, weights, ops::number(1)));
  }
  const Dim size = signal.shape().back();
  const Dim start = settings.center ? frames.size / 2 : 0;
  const Dim rest = settings.center ? size - frames.size / 2 : size;
  const Dim end =
      attributes.is_null("length") ? std::max(start, rest) : start + attributes.integer("length");
  if (end < start || end > size) {
    value_error("'length' is ", end - start, " but must be 0 to ", size - start);
  }
  return {ops::slice_axis(signal, signal.rank() - 1, start, end)};
}

constexpr OpAttribute kLength = {
    "sequence_length", "number", "Number of elements of each part.", true, {}};
constexpr OpAttribute kStride = {
    "sequence_stride", "number", "Number of elements between the starts of parts.", true, {}};
constexpr OpAttribute kFftLength = {"fft_length",
                                    "number",
                                    "Number of elements that are transformed: each part between "
                                    "zeros.",
                                    true,
                                    {}};
constexpr OpAttribute kWindow = {"window", "'hann' | 'hamming' | number[] | null",
                                 "Weights of the elements of a part; null: all 1.", false, "hann"};
constexpr OpAttribute kCenter = {
    "center", "boolean",
    "Whether the first part is centred at the first element, which x mirrored before it allows.",
    false, true};
constexpr OpAttribute kExtractSettings[] = {kLength, kStride};
constexpr OpAttribute kStftSettings[] = {kLength, kStride, kFftLength, kWindow, kCenter};
constexpr OpAttribute kIstftSettings[] = {
    kLength,
    kStride,
    kFftLength,
    {"length", "number | null", "Number of elements of the result; null: all.", false, {}},
    kWindow,
    kCenter};

constexpr OpDef kOps[] = {
    {"ExtractSequences", "x", kExtractSettings,
     "Overlapping parts of the last axis: [..., parts, sequenceLength].", extract_sequences},
    {"STFT", "x", kStftSettings,
     "Fourier transforms of overlapping parts of a signal: real and imaginary part, [..., parts, "
     "frequencies].",
     stft, nullptr, true},
    {"ISTFT", "xs*", kIstftSettings,
     "The inverse of stft. Operands: real and imaginary part, [..., parts, frequencies].", istft},
};
const RegisterOps registration{kOps, "maskflow/train"};

}  // namespace
}  // namespace maskflow
