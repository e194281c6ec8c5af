// SPDX-License-Identifier: MIT
#include <optional>
#include <string_view>

#include "layer/layer.hpp"
#include "ops/ops.hpp"

namespace maskflow {
namespace {

// A layer that applies an activation function with one number as its setting.
struct RectifierKind {
  Name op;
  Name setting;       // Name of the layer's setting.
  Name op_attribute;  // Name of the op's attribute with the same number.
  double fallback;
  Doc doc;
};
constexpr RectifierKind kRelu{"Relu", "negative_slope", "negative_slope", 0,
                              "Slope below the threshold."};
constexpr RectifierKind kLeakyRelu{"LeakyRelu", "negative_slope", "negative_slope", 0.3,
                                   "Slope below 0."};
constexpr RectifierKind kElu{"Elu", "alpha", "alpha", 1,
                             "Very negative inputs approach minus this number."};
constexpr RectifierKind kThreshold{"Threshold", "theta", "threshold", 1,
                                   "Values up to this number become 0."};

class Rectifier final : public Layer {
 public:
  explicit Rectifier(const RectifierKind* kind) : kind_(*kind) {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    double number = number_.value_or(kind_.fallback);
    // Keras 2 calls the slope alpha.
    if (&kind_ == &kLeakyRelu && fields.has("alpha")) {
      number = fields.value("alpha").as_number("alpha");
    }
    fields.field(kind_.setting, number, kind_.doc);
    number_ = number;
    if (&kind_ == &kLeakyRelu) fields.ignored({"alpha"});
    if (!is_relu()) return;
    fields.field("max_value", max_value_, "Upper bound of the result; null: unbounded.");
    fields.field("threshold", threshold_, "Values above it pass unchanged.");
  }
  void check_config() const override {
    if (&kind_ != &kElu) check_setting(kind_.setting, number_.value_or(0));
    check_setting("threshold", threshold_);
    check_setting("max_value", max_value_.value_or(0));
  }
  [[nodiscard]] bool each_row_alone() const override { return true; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    Dict attributes;
    attributes[kind_.op_attribute] = number_.value_or(0);
    if (is_relu()) {
      attributes["threshold"] = threshold_;
      if (max_value_) attributes["max_value"] = *max_value_;
    }
    const Tensor x = ops::cast(args.inputs.front(), result_dtype(args));
    return {apply_op1(kind_.op, {&x, 1}, attributes)};
  }
  OutputSpecs output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), result_dtype(args)}};
  }

 private:
  static void check_setting(std::string_view name, double value) {
    if (value < 0) config_error("'", name, "' is ", value, " but must be at least 0");
  }
  // As in Keras, ReLU without a slope keeps integers.
  [[nodiscard]] DType result_dtype(const Args& args) const {
    const bool keeps = is_relu() && number_.value_or(0) == 0;
    return keeps && args.inputs.front().dtype() == DType::kInt32 ? DType::kInt32 : DType::kFloat32;
  }
  [[nodiscard]] bool is_relu() const { return &kind_ == &kRelu; }

  const RectifierKind& kind_;
  std::optional<double> number_, max_value_;
  double threshold_ = 0;
};

const RegisterLayer<Rectifier, &kRelu> relu{
    "ReLU",
    "max(x, 0), by default. With the settings: x above the threshold, at most max_value; "
    "negative_slope * (x - threshold) below it. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<Rectifier, &kLeakyRelu> leaky_relu{
    "LeakyReLU",
    "x above 0, negative_slope * x below. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<Rectifier, &kElu> elu{
    "ELU",
    "x above 0, alpha * (e^x - 1) below. Passes the mask through.",
    {.composed = true, .built_at_init = true, .in_tfjs = true}};
const RegisterLayer<Rectifier, &kThreshold> thresholded_relu{
    "ThresholdedReLU",
    "x above theta, 0 elsewhere. A layer of Keras 2. Passes the mask through.",
    {.composed = true, .in_tfjs = true}};

}  // namespace
}  // namespace maskflow
