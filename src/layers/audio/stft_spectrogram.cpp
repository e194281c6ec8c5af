// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>

#include "layers/audio/window_function.hpp"
#include "layers/convolution/window.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Smallest power and magnitude of the modes 'magnitude' and 'log': keras.backend.epsilon().
constexpr double kLeast = 1e-7;

// The short-time Fourier transform of signals, as a convolution with kernels that are weights.
class STFTSpectrogram final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.choice("mode", mode_, "log magnitude psd real imag angle stft",
                  "'magnitude', its logarithm 'log', the power 'psd', 'real' or 'imag' part, "
                  "'angle', or 'stft': both parts.");
    fields.field("frame_length", frame_length_, "Samples of a frame; at least 1.");
    fields.field("frame_step", frame_step_,
                 "Samples from one frame to the next, at most frame_length; null: half of it.");
    fields.field("fft_length", fft_length_,
                 "Length of the transform, at least frame_length; null: the next power of 2.");
    fields.field("window", window_, TypeScript{"string | readonly number[] | null"},
                 "Weights of the samples of a frame: the name of a window function, such as 'hann' "
                 "or 'hamming', a list of frame_length numbers, or null.");
    fields.field("periodic", periodic_, "Whether a named window is periodic, not symmetric.");
    fields.choice("scaling", scaling_, "density spectrum",
                  "Divides the window by its Euclidean length, 'density', or by the sum of its "
                  "absolute values, 'spectrum'; null: does not.");
    fields.padding(frames_.padding, "valid same",
                   "'valid', or 'same': zeros at both ends, so that each step has a frame.");
    fields.field("data_format", frames_.data_format,
                 "'channels_last' [batch, time, channels] or 'channels_first'.");
    fields.field("expand_dims", expand_dims_,
                 "Keep frequencies and channels on separate axes: [batch, frames, frequencies, "
                 "channels], or [batch, channels, frames, frequencies].");
  }
  void read_config(const Dict& config) override {
    Layer::read_config(config);
    frames_.kernel_size = {frame_length_};
    frames_.strides = {frame_step_.value_or(frame_length_ / 2)};
  }
  void check_config() const override {
    require_positive("frame_length", frame_length_);
    const int step = frame_step_.value_or(frame_length_ / 2);
    if (step < 1 || step > frame_length_) {
      config_error("'frame_step' is ", step, " but must be 1 to 'frame_length', ", frame_length_);
    }
    if (fft_length_ && *fft_length_ < frame_length_) {
      config_error("'fft_length' is ", *fft_length_, " but must be at least 'frame_length', ",
                   frame_length_);
    }
    if (frequencies() < 2) {
      config_error(
          "'fft_length' is 1 but must be at least 2, as the kernels have fft_length / 2 + "
          "1 frequencies");
    }
    check_window_setting();
  }
  [[nodiscard]] int rank() const override { return 3; }

  void build(const std::vector<Shape>& /*inputs*/) override {
    if (mode_ != "imag") real_ = add_kernel("real_kernel", "Cos");
    if (mode_ != "real") imaginary_ = add_kernel("imag_kernel", "Sin");
  }
  Structure call(const Args& args, Frame& /*frame*/) override {
    Tensor x = args.inputs.front();
    if (x.dtype() != DType::kFloat32) {
      value_error("the signal has dtype ", x.dtype(), " but must be float32; cast it");
    }
    if (!frames_.channels_first()) x = ops::swap_axes(x, 1, 2);
    return {arranged(spectrum(cut(x)))};
  }
  OutputSpecs output_specs(const Args& args) override {
    const Shape& input = args.inputs.front().shape();
    const bool first = frames_.channels_first();
    const Dim steps = frames_.output_steps(input[first ? 2 : 1]);
    const Dim channels = input[first ? 1 : 2];
    const Dim bins = mode_ == "stft" ? 2 * frequencies() : frequencies();
    if (expand_dims_) {
      if (first) return {{{input[0], channels, steps, bins}, DType::kFloat32}};
      return {{{input[0], steps, bins, channels}, DType::kFloat32}};
    }
    const Dim all = channels == kUnknown ? kUnknown : channels * bins;
    if (first) return {{{input[0], all, steps}, DType::kFloat32}};
    return {{{input[0], steps, all}, DType::kFloat32}};
  }

 private:
  [[nodiscard]] Dim frequencies() const {
    const std::uint64_t length =
        fft_length_ ? at(*fft_length_) : std::bit_ceil(std::uint64_t{at(frame_length_)});
    return static_cast<Dim>(length / 2 + 1);
  }

  void check_window_setting() const {
    if (window_.is_null()) return;
    if (window_.is_string()) {
      const std::string& name = window_.as_string("window");
      if (has_word(kWindowFunctions, name)) return;
      config_error("'window' is '", name, "' but must be null, a list of numbers, or one of ",
                   kWindowFunctions);
    }
    const List& numbers = window_.as_list("window");
    if (std::ssize(numbers) != frame_length_) {
      config_error("'window' has ", numbers.size(), " numbers but 'frame_length' is ",
                   frame_length_);
    }
    for (const Value& number : numbers) static_cast<void>(number.as_number("window"));
  }

  // Returns the weights of the samples, [frame_length].
  [[nodiscard]] Tensor window() const {
    if (window_.is_string()) {
      return window_function(window_.as_string("window"), frame_length_, periodic_);
    }
    std::vector<float> weights;
    for (const Value& number : window_.as_list("window")) {
      weights.push_back(static_cast<float>(number.as_number("window")));
    }
    return Tensor::from<float>({frame_length_}, weights);
  }

  // Adds a kernel [frame_length, 1, frequencies]: the windowed cosines or sines. The angles are
  // rounded as in Keras, because those of long frames have few digits after the point.
  VariablePtr add_kernel(const char* name, const char* function) {
    const Dim bins = frequencies();
    VariablePtr kernel = add_weight(name, {frame_length_, 1, bins}, Initializer("zeros"));
    Tensor times(DType::kFloat32, {frame_length_, 1, 1});
    for (Dim t = 0; t < frame_length_; ++t) {
      times.mutable_floats()[t] = -2 * static_cast<float>(t);
    }
    Tensor cycles(DType::kFloat32, {bins});
    for (Dim k = 0; k < bins; ++k) {
      cycles.mutable_floats()[k] = static_cast<float>(k) / static_cast<float>(2 * (bins - 1));
    }
    constexpr double kPi = 3.14159265358979323846;
    const Tensor angles = ops::multiply(ops::multiply(times, cycles), ops::number(kPi));
    kernel->set_value(windowed(ops::unary(function, angles)));
    return kernel;
  }
  [[nodiscard]] Tensor windowed(const Tensor& waves) const {
    if (window_.is_null()) return waves;
    const Tensor weights = window().reshaped({frame_length_, 1, 1});
    const Tensor product = ops::multiply(waves, weights);
    if (!scaling_) return product;
    return ops::divide(product, *scaling_ == "density" ? ops::sqrt(ops::sum(ops::square(weights)))
                                                       : ops::sum(ops::absolute(weights)));
  }

  // Returns the frames of signals [batch, channels, time]: [batch, channels, steps, frame_length].
  [[nodiscard]] Tensor cut(const Tensor& signals) const {
    const Dim time = signals.shape()[2];
    const Dim steps = frames_.output_steps(time);
    Tensor places(DType::kInt32, {steps, frame_length_});
    std::int32_t* to = places.mutable_data<std::int32_t>().data();
    for (Dim step = 0; step < steps; ++step) {
      for (Dim i = 0; i < frame_length_; ++i) {
        *to++ = static_cast<std::int32_t>(step * frames_.stride() + i);
      }
    }
    return ops::take(frames_.padded(signals, 2), places, 2);
  }

  [[nodiscard]] Tensor product(const Tensor& frames, const Variable& kernel) const {
    return ops::matmul(frames, kernel.value().reshaped({frame_length_, frequencies()}));
  }

  // Returns the result of the mode, [batch, channels, steps, frequencies].
  [[nodiscard]] Tensor spectrum(const Tensor& frames) const {
    if (mode_ == "real") return product(frames, *real_);
    const Tensor imaginary = product(frames, *imaginary_);
    if (mode_ == "imag") return imaginary;
    const Tensor real = product(frames, *real_);
    if (mode_ == "angle") return apply_op1("Arctan2", std::array{imaginary, real});
    if (mode_ == "stft") return ops::concatenate(std::array{real, imaginary}, 3);
    const Tensor power = ops::add(ops::square(real), ops::square(imaginary));
    if (mode_ == "psd") return ops::multiply(power, sides());
    const Tensor magnitude = ops::sqrt(ops::maximum(power, ops::number(kLeast)));
    if (mode_ == "magnitude") return magnitude;
    return ops::log(ops::maximum(magnitude, ops::number(kLeast)));
  }
  // Counts the frequencies between the first and the last twice: for their negatives, too.
  [[nodiscard]] Tensor sides() const {
    Tensor sides = Tensor::full(DType::kFloat32, {frequencies()}, 2);
    sides.mutable_floats()[0] = 1;
    sides.mutable_floats()[frequencies() - 1] = 1;
    return sides;
  }

  // Orders the axes of a spectrum as data_format and expand_dims say.
  [[nodiscard]] Tensor arranged(const Tensor& x) const {
    const bool first = frames_.channels_first();
    if (expand_dims_) return first ? x : ops::transpose(x, {0, 2, 3, 1});
    const Shape& shape = x.shape();
    const Dim all = shape[1] * shape[3];
    if (first) return ops::transpose(x, {0, 1, 3, 2}).reshaped({shape[0], all, shape[2]});
    return ops::transpose(x, {0, 2, 1, 3}).reshaped({shape[0], shape[2], all});
  }

  std::string mode_ = "log";
  int frame_length_ = 256;
  std::optional<int> frame_step_;
  std::optional<int> fft_length_;
  Value window_ = "hann";
  bool periodic_ = false;
  std::optional<std::string> scaling_ = "density";
  bool expand_dims_ = false;
  Window frames_;  // How frames move over the signal.
  VariablePtr real_, imaginary_;
};

const RegisterLayer<STFTSpectrogram> registration{
    "STFTSpectrogram",
    "The short-time Fourier transform of signals, [batch, time, channels] to [batch, frames, "
    "channels * (fft_length / 2 + 1)], by kernels that can be trained. Only in maskflow/train. "
    "Treats "
    "padding as data: drops the mask with a warning.",
    {.composed = true, .only_in_training_module = true}};

}  // namespace
}  // namespace maskflow
