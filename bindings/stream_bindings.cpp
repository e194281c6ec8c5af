// SPDX-License-Identifier: MIT
// What JavaScript can call of streams: a table of its own, because a module may lack them.
#include <emscripten/bind.h>

#include "exchange.hpp"
#include "kernels/copy.hpp"
#include "model/stream.hpp"

namespace maskflow::bindings {
namespace {

// A stream with the memory from which its usual step is read.
struct HostStream {
  HostStream(std::shared_ptr<Stream> of, LayerPtr model)
      : stream(std::move(of)), owner(std::move(model)) {
    for (const Tensor& input : stream->graph().inputs()) {
      Shape shape = input.shape();
      if (StreamPlan::timed(input)) shape.set(1, 1);
      inputs.emplace_back(input.dtype(), shape);
    }
  }
  std::shared_ptr<Stream> stream;
  LayerPtr owner;
  Tensors inputs;
};
using StreamPtr = std::shared_ptr<HostStream>;

Tensor copied(const Tensor& tensor) {
  Tensor result(tensor.dtype(), tensor.shape());
  std::copy_n(tensor.raw(), tensor.bytes(), result.raw());
  return result;
}

// The one step of a result with time, without that axis.
Tensor without_time(const Tensor& tensor, const Tensor& symbol) {
  if (!StreamPlan::timed(symbol)) return tensor;
  Shape shape = tensor.shape();
  shape.erase(1);
  return tensor.reshaped(shape);
}

val stream_create(const LayerPtr& model, double batch, const val& shapes) {
  return guarded([&] {
    Model* const graph = model->as_model();
    if (graph == nullptr) {
      unsupported_error("the model '", model->name(),
                        "' cannot run step by step: it has code of its own; make a Sequential or "
                        "functional model of its layers");
    }
    const auto plan = std::make_shared<StreamPlan>(*graph, Value(batch).as_integer("batchSize"),
                                                   shapes_from(shapes));
    return val(std::make_shared<HostStream>(std::make_shared<Stream>(plan), model));
  });
}

val stream_clone(const StreamPtr& stream) {
  return guarded(
      [&] { return val(std::make_shared<HostStream>(stream->stream->clone(), stream->owner)); });
}

val specs_to_js(const Tensors& symbols) {
  val list = val::array();
  for (const Tensor& symbol : symbols) {
    val entry = val::object();
    entry.set("name", symbol.origin()->node()->operation->name());
    entry.set("shape", to_js(symbol.shape()));
    entry.set("dtype", static_cast<int>(symbol.dtype()));
    entry.set("timed", StreamPlan::timed(symbol));
    list.call<void>("push", entry);
  }
  return list;
}

val stream_info(const StreamPtr& stream) {
  return guarded([&] {
    val info = val::object();
    info.set("inputs", specs_to_js(stream->stream->graph().inputs()));
    info.set("outputs", specs_to_js(stream->stream->graph().outputs()));
    info.set("list", stream->owner->returns_list());
    info.set("keys", to_js(Value([&] {
               const std::vector<std::string> keys = stream->owner->output_keys();
               return List(keys.begin(), keys.end());
             }())));
    info.set("address",
             static_cast<double>(reinterpret_cast<std::uintptr_t>(stream->inputs.front().raw())));
    return info;
  });
}

// `single`: one step, and no time axis in what comes back.
val stream_step(const StreamPtr& stream, const val& inputs, bool single) {
  return guarded([&] {
    const Tensors& outputs = stream->stream->step(tensors_from(inputs));
    Tensors results;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Tensor& symbol = stream->stream->graph().outputs()[i];
      const Tensor copy = copied(outputs[i]);
      results.push_back(single ? without_time(copy, symbol) : copy);
    }
    return result_to_js(results, stream->owner->returns_list(), stream->owner->output_keys());
  });
}

// One step of the one input, which lies at its address; place and shape of the one output are in
// the exchange. `kept`: as a tensor of its own, else where the next step overwrites it.
val stream_step_one(const StreamPtr& stream, bool kept) {
  return guarded([&] {
    const Tensor& output = stream->stream->step(stream->inputs).front();
    if (kept) {
      return val(give_with_exchange(
          without_time(copied(output), stream->stream->graph().outputs().front())));
    }
    set_exchange(output);
    return val(true);
  });
}

val stream_reset(const StreamPtr& stream) {
  return guarded([&] {
    stream->stream->reset();
    return val(true);
  });
}

val stream_get_state(const StreamPtr& stream) {
  return guarded([&] {
    val list = val::array();
    for (const Stream::Kept& kept : stream->stream->kept()) {
      val entry = val::object();
      entry.set("layer", kept.layer);
      Tensors tensors;
      for (const Tensor& tensor : kept.carry->tensors()) tensors.push_back(copied(tensor));
      entry.set("tensors", to_js(tensors));
      list.call<void>("push", entry);
    }
    return list;
  });
}

val stream_set_state(const StreamPtr& stream, const val& states) {
  return guarded([&] {
    std::vector<Tensors> given;
    for (std::size_t i = 0; i < length_of(states); ++i) given.push_back(tensors_from(states[i]));
    stream->stream->set(given);
    return val(true);
  });
}

EMSCRIPTEN_BINDINGS(maskflow_streams) {
  using emscripten::function;
  emscripten::class_<HostStream>("Stream").smart_ptr<StreamPtr>("StreamPtr");
  function("streamCreate", &stream_create);
  function("streamClone", &stream_clone);
  function("streamInfo", &stream_info);
  function("streamStep", &stream_step);
  function("streamStepOne", &stream_step_one);
  function("streamReset", &stream_reset);
  function("streamGetState", &stream_get_state);
  function("streamSetState", &stream_set_state);
}

}  // namespace
}  // namespace maskflow::bindings
