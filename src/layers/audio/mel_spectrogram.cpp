// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cmath>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Converts frequencies in hertz to the mel scale of the Hidden Markov Model Toolkit, in float32.
float mel(float hertz) {
  const float ratio = 1 + hertz / 700.0F;
  return 1127.0F * static_cast<float>(std::log(static_cast<double>(ratio)));
}

// Number `i` of `count` numbers from `first` to `last` with even distances.
float spaced(float first, float last, Dim count, Dim i) {
  const double share = static_cast<double>(i) / static_cast<double>(count - 1);
  return static_cast<float>(first + (static_cast<double>(last) - first) * share);
}

// The power of a signal at frequencies that listeners hear as evenly spaced (Stevens, Volkmann and
// Newman 1937).
class MelSpectrogram final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("fft_length", fft_length_, "Length of the Fourier transform; at least 1.");
    fields.field("sequence_stride", stride_, "Samples from one frame to the next; at least 1.");
    fields.field("sequence_length", length_,
                 "Samples of the window, at most fft_length; null: fft_length.");
    fields.field("window", window_, TypeScript{"'hann' | 'hamming' | readonly number[] | null"},
                 "Weights of the samples of a frame: a name, sequence_length numbers, or null.");
    fields.field("sampling_rate", sampling_rate_, "Samples of the signal per second.");
    fields.field("num_mel_bins", bins_, "Number of frequency bands; at least 1.");
    fields.field("min_freq", min_frequency_, "Lower end of the lowest band, in hertz.");
    fields.field("max_freq", max_frequency_, TypeScript{"number | null"},
                 "Upper end of the highest band, in hertz; null: sampling_rate / 2.");
    fields.field("power_to_db", in_decibels_, "Whether the result is in decibels.");
    fields.field("top_db", top_db_,
                 "Decibels below the largest value of the batch at which values are cut off.");
    fields.field("mag_exp", exponent_, "Power of the magnitude: 1 magnitude, 2 power.");
    fields.field("min_power", min_power_, "Smallest power before the logarithm.");
    fields.field("ref_power", ref_power_, "Power of 0 decibels.");
  }
  void read_config(const Dict& config) override {
    Layer::read_config(config);
    if (length_.value_or(0) == 0) length_ = fft_length_;
    if (max_frequency_.value_or(0) == 0) {
      max_frequency_ = std::floor(static_cast<double>(sampling_rate_) / 2);
    }
  }
  void check_config() const override {
    require_positive("fft_length", fft_length_);
    require_positive("sequence_stride", stride_);
    require_positive("sampling_rate", sampling_rate_);
    require_positive("num_mel_bins", bins_);
    const int length = length_.value_or(0);
    if (length < 0 || length > fft_length_) {
      config_error("'sequence_length' is ", length, " but must be 1 to 'fft_length', ",
                   fft_length_);
    }
  }
  [[nodiscard]] int min_rank() const override { return 1; }

  Structure call(const Args& args, Frame& /*frame*/) override {
    check_length(args.inputs.front().shape().back());
    Dict settings;
    settings["sequence_length"] = *length_;
    settings["sequence_stride"] = stride_;
    settings["fft_length"] = fft_length_;
    settings["window"] = window_;
    const Tensors parts = apply_op("STFT", {&args.inputs.front(), 1}, settings);
    const Tensor power = ops::add(ops::square(parts[0]), ops::square(parts[1]));
    const Tensor magnitude = ops::power(ops::sqrt(power), ops::number(exponent_));
    Tensor result = ops::matmul(magnitude, bands());
    if (in_decibels_) result = decibels(result);
    return {ops::swap_axes(result, -1, -2)};
  }
  OutputSpecs output_specs(const Args& args) override {
    const Shape& input = args.inputs.front().shape();
    Shape shape = input.first(input.rank() - 1);
    shape.push_back(bins_);
    shape.push_back(frames(input.back()));
    return {{shape, DType::kFloat32}};
  }

 private:
  [[nodiscard]] Dim margin() const { return fft_length_ / 2; }
  void check_length(Dim time) const {
    if (time > margin()) return;
    shape_error("the signal has ", time, " samples but needs more than half of 'fft_length', ",
                margin(), ", because its ends are reflected");
  }
  [[nodiscard]] Dim frames(Dim time) const {
    if (time == kUnknown) return kUnknown;
    check_length(time);
    return (time + 2 * margin() - fft_length_) / stride_ + 1;
  }

  // Returns the weight of each frequency in each band, [fft_length / 2 + 1, num_mel_bins]:
  // triangles on the mel scale that overlap by half. The first frequency, 0, is in no band.
  [[nodiscard]] Tensor bands() const {
    const float low = mel(static_cast<float>(min_frequency_));
    const float high = mel(static_cast<float>(*max_frequency_));
    const float nyquist = static_cast<float>(sampling_rate_) / 2;
    const Dim count = fft_length_ / 2 + 1;
    Tensor bands = Tensor::zeros(DType::kFloat32, {count, bins_});
    float* to = bands.mutable_floats();
    for (Dim k = 1; k < count; ++k) {
      const float frequency = mel(spaced(0, nyquist, count, k));
      for (Dim band = 0; band < bins_; ++band) {
        const auto edge = [&](Dim i) { return spaced(low, high, Dim{bins_} + 2, band + i); };
        const float rising = (frequency - edge(0)) / (edge(1) - edge(0));
        const float falling = (edge(2) - frequency) / (edge(2) - edge(1));
        to[k * bins_ + band] = std::max(0.0F, std::min(rising, falling));
      }
    }
    return bands;
  }

  [[nodiscard]] Tensor decibels(const Tensor& power) const {
    const auto level = [&](const Tensor& x) {
      const Tensor kept = ops::maximum(x, ops::number(min_power_));
      return ops::multiply(ops::number(10), ops::unary("Log10", kept));
    };
    const Tensor loud = ops::subtract(level(power), level(ops::number(std::abs(ref_power_))));
    if (loud.size() == 0) return loud;
    return ops::maximum(loud, ops::subtract(ops::max(loud, {}), ops::number(top_db_)));
  }

  int fft_length_ = 2048;
  int stride_ = 512;
  std::optional<int> length_;
  Value window_ = "hann";
  int sampling_rate_ = 16000;
  int bins_ = 128;
  double min_frequency_ = 20;
  std::optional<double> max_frequency_;
  bool in_decibels_ = true;
  double top_db_ = 80;
  double exponent_ = 2;
  double min_power_ = 1e-10;
  double ref_power_ = 1;
};

const RegisterLayer<MelSpectrogram> registration{
    "MelSpectrogram",
    "Mel spectrograms of signals, [time] or [batch, time] to [batch, num_mel_bins, frames]. Only "
    "in "
    "maskflow/train. Treats padding as data: drops the mask with a warning.",
    {.composed = true, .only_in_training_module = true}};

}  // namespace
}  // namespace maskflow
