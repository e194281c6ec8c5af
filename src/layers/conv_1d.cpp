// SPDX-License-Identifier: MIT
#include <cstring>

#include "layers/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// Cross-correlation over time: y[t] = bias + sum over k of x[t * stride + k * dilation - padding]
// W[k].
class Conv1D final : public Layer {
 public:
  void describe(Fields& fields) override {
    Layer::describe(fields);
    fields.field("filters", filters_, "Channels of the output; at least 1.", FieldKind::kRequired);
    fields.field("kernel_size", kernel_size_, "Steps that one output sees.", FieldKind::kRequired);
    fields.field("strides", strides_, "Steps from one output to the next.");
    fields.field("padding", padding_, "'valid', 'same' or 'causal'.");
    fields.field("data_format", data_format_,
                 "'channels_last' [batch, time, channels] or 'channels_first'.");
    fields.field("dilation_rate", dilation_rate_, "Steps between the taps of the kernel.");
    fields.field("groups", groups_, "Groups of channels that are convolved separately.");
    fields.field("activation", activation_, "Activation of the result.");
    fields.field("use_bias", use_bias_, "Add a bias?");
    fields.field("kernel_initializer", kernel_initializer_,
                 "Start of the kernel [kernel_size, channels / groups, filters].");
    fields.field("bias_initializer", bias_initializer_, "Start of the bias [filters].");
    fields.inert(inert_, {"kernel_regularizer", "bias_regularizer", "activity_regularizer",
                          "kernel_constraint", "bias_constraint"});
  }
  void check_config() const override {
    for (const int size :
         {filters_, kernel_size_.at(0), strides_.at(0), dilation_rate_.at(0), groups_}) {
      if (size <= 0)
        config_error(
            "filters, kernel_size, strides, dilation_rate and groups must be at "
            "least 1, but one of them is ",
            size);
    }
    if (filters_ % groups_ != 0) {
      config_error("'filters' is ", filters_, " and 'groups' is ", groups_,
                   "; they must divide evenly");
    }
    if (padding_ != "valid" && padding_ != "same" && padding_ != "causal") {
      config_error("'padding' is '", padding_, "' but must be 'valid', 'same' or 'causal'");
    }
  }
  void build(const std::vector<Shape>& inputs) override {
    const Dim channels = inputs.front()[channel_axis()];
    if (channels != kUnknown && channels % groups_ != 0) {
      config_error("the input has ", channels, " channels, which ", groups_,
                   " groups do not divide");
    }
    kernel_ = add_weight(
        "kernel", {kernel_size_[0], channels == kUnknown ? kUnknown : channels / groups_, filters_},
        kernel_initializer_);
    if (use_bias_) bias_ = add_weight("bias", {filters_}, bias_initializer_);
  }
  [[nodiscard]] int min_rank() const override { return 3; }

  Tensors call(const Args& args) override {
    Tensor x = swap(ops::cast(args.inputs.front(), DType::kFloat32));
    if (x.rank() != 3 || x.shape()[2] != kernel_->shape()[1] * groups_) {
      shape_error("expected an input of rank 3 with ", kernel_->shape()[1] * groups_,
                  " channels, but got ", args.inputs.front().shape());
    }
    const Dim steps = output_steps(x.shape()[1]);
    if (steps <= 0) {
      shape_error("the kernel covers ", span(), " steps but the input ", x.shape(), " has only ",
                  x.shape()[1], "; use padding 'same' or 'causal'");
    }
    x = padded(x, steps);
    Tensor output(DType::kFloat32, {x.shape()[0], steps, filters_});
    convolve(x, output);
    activation_.apply(output.mutable_data<float>().data(), output.size() / width(), width());
    return {swap(output)};
  }
  std::vector<TensorSpec> output_specs(const Args& args) override {
    Shape shape = args.inputs.front().shape();
    const int time = data_format_ == "channels_first" ? 2 : 1;
    if (shape[time] != kUnknown) shape.set(time, output_steps(shape[time]));
    shape.set(channel_axis(), filters_);
    return {{shape, DType::kFloat32}};
  }

 private:
  [[nodiscard]] std::size_t width() const { return static_cast<std::size_t>(filters_); }
  [[nodiscard]] int channel_axis() const { return data_format_ == "channels_first" ? 1 : 2; }
  [[nodiscard]] Dim span() const { return Dim{dilation_rate_[0]} * (kernel_size_[0] - 1) + 1; }
  [[nodiscard]] Dim output_steps(Dim time) const {
    const Dim covered = padding_ == "valid" ? time - span() + 1 : time;
    return covered <= 0 ? 0 : (covered + strides_[0] - 1) / strides_[0];
  }
  [[nodiscard]] Tensor swap(const Tensor& x) const {
    if (data_format_ != "channels_first") return x;
    Dict attributes;
    attributes["axes"] = List{0, 2, 1};
    return apply_op1("Transpose", {&x, 1}, attributes);
  }

  // Zeros around each sequence, so that every tap reads a row that is there.
  [[nodiscard]] Tensor padded(const Tensor& x, Dim steps) const {
    if (padding_ == "valid") return x;
    const Dim time = x.shape()[1];
    const Dim needed = std::max<Dim>(0, (steps - 1) * strides_[0] + span() - time);
    const Dim left = padding_ == "causal" ? span() - 1 : needed / 2;
    const Dim right = padding_ == "causal" ? 0 : needed - left;
    Tensor result =
        Tensor::zeros(DType::kFloat32, {x.shape()[0], left + time + right, x.shape()[2]});
    const auto row = static_cast<std::size_t>(time * x.shape()[2]);
    const auto padded_row = static_cast<std::size_t>((left + time + right) * x.shape()[2]);
    for (std::size_t b = 0; b < static_cast<std::size_t>(x.shape()[0]); ++b) {
      std::memcpy(result.mutable_data<float>().data() + b * padded_row +
                      static_cast<std::size_t>(left * x.shape()[2]),
                  x.data<float>().data() + b * row, row * sizeof(float));
    }
    return result;
  }

  // A product per tap and group, added up; rows are picked by index, nothing is copied.
  void convolve(const Tensor& x, Tensor& output) {
    pack();
    const auto channels = static_cast<std::size_t>(kernel_->shape()[1]);
    const Dim time = x.shape()[1];
    const std::size_t rows = output.size() / width();
    std::vector<std::int32_t> index(rows);
    std::vector<float> part(rows * width() / static_cast<std::size_t>(groups_));
    for (std::size_t g = 0; g < static_cast<std::size_t>(groups_); ++g) {
      const std::size_t columns = width() / static_cast<std::size_t>(groups_);
      for (int tap = 0; tap < kernel_size_[0]; ++tap) {
        for (std::size_t r = 0; r < rows; ++r) {
          const Dim batch = static_cast<Dim>(r) / output.shape()[1];
          const Dim step = static_cast<Dim>(r) % output.shape()[1];
          index[r] = static_cast<std::int32_t>(batch * time + step * strides_[0] +
                                               Dim{tap} * dilation_rate_[0]);
        }
        const kernels::Start first = use_bias_ ? kernels::Start::kBias : kernels::Start::kZero;
        kernels::gemm(
            {x.data<float>().data() + g * channels, channels * static_cast<std::size_t>(groups_),
             index.data()},
            rows,
            packed_[g * static_cast<std::size_t>(kernel_size_[0]) + static_cast<std::size_t>(tap)],
            tap == 0 ? first : kernels::Start::kAccumulate,
            use_bias_ ? bias_->data() + g * columns : nullptr, part.data());
      }
      float* out = output.mutable_data<float>().data() + g * columns;
      for (std::size_t r = 0; r < rows; ++r) {
        std::memcpy(out + r * width(), part.data() + r * columns, columns * sizeof(float));
      }
    }
  }

  void pack() {
    if (packed_version_ == kernel_->version()) return;
    packed_version_ = kernel_->version();
    const float* kernel = kernel_->data();
    packed_.clear();
    const auto channels = static_cast<std::size_t>(kernel_->shape()[1]);
    const std::size_t columns = width() / static_cast<std::size_t>(groups_);
    for (std::size_t g = 0; g < static_cast<std::size_t>(groups_); ++g) {
      for (std::size_t tap = 0; tap < static_cast<std::size_t>(kernel_size_[0]); ++tap) {
        packed_.emplace_back(kernel + tap * channels * width() + g * columns, channels, columns,
                             width());
      }
    }
  }

  int filters_ = 0;
  std::vector<int> kernel_size_{1}, strides_{1}, dilation_rate_{1};
  std::string padding_ = "valid";
  std::optional<std::string> data_format_ = "channels_last";
  int groups_ = 1;
  Activation activation_{"linear"};
  bool use_bias_ = true;
  Initializer kernel_initializer_{"glorot_uniform"};
  Initializer bias_initializer_{"zeros"};
  VariablePtr kernel_, bias_;
  std::uint64_t packed_version_ = 0;
  std::vector<kernels::PackedMatrix> packed_;
};

const RegisterLayer<Conv1D> registration{
    "Conv1D",
    "Convolution over time. Input [batch, time, channels]. Drops the mask with a warning.",
    "Convolution1D"};

}  // namespace
}  // namespace maskflow
