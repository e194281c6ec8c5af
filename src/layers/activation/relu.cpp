// SPDX-License-Identifier: MIT
#include <algorithm>

#include "layer/layer.hpp"
#include "ops/op.hpp"

namespace maskflow {
namespace {

// Activation functions with a number as layers.
struct Kind {
  std::string_view layer;
  Name op;
  Name setting;       // of the layer
  Name op_attribute;  // what the op calls it
  double fallback;
  Doc doc;
};
constexpr Kind kKinds[] = {
    {"ReLU", "Relu", "negative_slope", "negative_slope", 0, "Slope below the threshold."},
    {"LeakyReLU", "LeakyRelu", "negative_slope", "negative_slope", 0.3, "Slope below 0."},
    {"ELU", "Elu", "alpha", "alpha", 1, "Minus the limit for low values."},
    {"ThresholdedReLU", "Threshold", "theta", "threshold", 1, "What is not above it becomes 0."},
};

class Rectifier final : public Layer {
 public:
  Rectifier() {
    supports_masking_ = true;
    streaming_ = Streaming::kEachStep;
  }
  void describe(Fields& fields) override {
    Layer::describe(fields);
    double number = number_.value_or(function().fallback);
    // The name that older versions of Keras have for it.
    if (class_name() == "LeakyReLU" && fields.has("alpha")) {
      number = fields.given("alpha").as_number("alpha");
    }
    fields.field(function().setting, number, function().doc);
    number_ = number;
    if (class_name() == "LeakyReLU") fields.ignored({"alpha"});
    if (!is_relu()) return;
    fields.field("max_value", max_value_, "Upper bound; null: none.");
    fields.field("threshold", threshold_, "Values above it stay.");
  }
  void check_config() const override {
    const double least = std::min(
        {class_name() == "ELU" ? 0 : number_.value_or(0), threshold_, max_value_.value_or(0)});
    if (least < 0) config_error(class_name(), " has a setting of ", least, "; 0 is the least");
  }
  [[nodiscard]] bool each_row_alone() const override { return true; }
  Structure call(const Args& args, Frame& /*frame*/) override {
    Dict attributes;
    attributes[function().op_attribute] = number_.value_or(0);
    if (is_relu()) {
      attributes["threshold"] = threshold_;
      if (max_value_) attributes["max_value"] = *max_value_;
    }
    return {apply_op1(function().op, {&args.inputs.front(), 1}, attributes)};
  }
  OutputSpecs output_specs(const Args& args) override {
    return {{args.inputs.front().shape(), DType::kFloat32}};
  }

 private:
  [[nodiscard]] const Kind& function() const {
    return *std::ranges::find(kKinds, class_name(), &Kind::layer);
  }
  [[nodiscard]] bool is_relu() const { return class_name() == "ReLU"; }
  std::optional<double> number_, max_value_;
  double threshold_ = 0;
};

const RegisterLayer<Rectifier> relu{
    "ReLU", "max(x, 0), with bound, slope and threshold if given. Passes the mask on."};
const RegisterLayer<Rectifier> leaky_relu{"LeakyReLU",
                                          "x above 0, negative_slope x below. Passes the mask on."};
const RegisterLayer<Rectifier> elu{"ELU", "x above 0, alpha (e^x - 1) below. Passes the mask on."};
const RegisterLayer<Rectifier> thresholded_relu{
    "ThresholdedReLU", "x above theta, else 0; from Keras 2. Passes the mask on."};

}  // namespace
}  // namespace maskflow
