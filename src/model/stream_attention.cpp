// SPDX-License-Identifier: MIT
#include "model/stream_attention.hpp"

namespace maskflow {
namespace {

bool timed(const Tensor& tensor) { return tensor.is_symbolic() && StreamPlan::timed(tensor); }

}  // namespace

bool is_attention(const Layer& layer) {
  return layer.call_arguments().ends_with("return_attention_scores");
}

bool attention_keeps_state(Layer& layer, const Args& args) {
  const auto fail = [&](std::string_view reason, std::string_view remedy) {
    refuse_in_stream(layer, reason, remedy);
  };
  // Number of arguments besides the query: the value and, if present, the key.
  std::size_t sources = args.inputs.size() - 1;
  std::size_t count = 0;
  for (std::size_t i = 1; i < args.inputs.size(); ++i) count += timed(args.inputs[i]) ? 1 : 0;
  for (const char* name : {"value", "key"}) {
    if (const TensorArgument* argument = args.find(name)) {
      ++sources;
      count += timed(argument->values.front()) ? 1 : 0;
    }
  }
  if (!timed(args.inputs.front())) {
    fail("attends to a sequence with a query that has no time axis",
         "replace it by GlobalAveragePooling1D or a recurrent layer, or call predict on whole "
         "sequences");
  }
  if (count != 0 && count != sources) {
    fail("has a value with a time axis and a key without, or the reverse",
         "take both from one sequence, or call predict on whole sequences");
  }
  if (args.find("attention_mask") != nullptr) {
    fail("has an attention mask, which needs whole sequences",
         "use use_causal_mask, sliding_window and the masks of query and value instead, or call "
         "predict on whole sequences");
  }
  const bool causal = args.flag("use_causal_mask");
  const Streaming streaming = layer.streaming(args.inputs.front().shape());
  if (streaming == Streaming::kNever) {
    fail("attends over time and other axes together",
         "set attention_axes to one axis, or call predict on whole sequences");
  }
  if (streaming == Streaming::kEachStep) return false;
  if (count == 0) {
    if (!causal && layer.get_config()["sliding_window"].is_null()) return false;
    fail("has use_causal_mask or sliding_window, but a value without a time axis",
         "omit them, or call predict on whole sequences");
  }
  if (!causal) {
    fail("attends to later steps",
         "call it with use_causal_mask if the model was trained so, or call predict on whole "
         "sequences");
  }
  return true;
}

void check_no_scores(const Node& node) {
  Args args = node.args;
  args.for_each_tensor([&](const Tensor& tensor) {
    if (!tensor.is_symbolic() || tensor.origin()->index() == 0) return;
    const Operation& source = *tensor.origin()->node()->operation;
    if (!source.is_layer() || !is_attention(static_cast<const Layer&>(source))) return;
    refuse_in_stream(
        *node.operation,
        text("uses the scores of '", source.name(), "', which get a column at every step"),
        "make the scores an output of the model, or call predict on whole sequences");
  });
}

}  // namespace maskflow
