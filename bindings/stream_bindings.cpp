// SPDX-License-Identifier: MIT
// What JavaScript can call of streams: a table of its own, because a module may lack them.
#include <emscripten/bind.h>

#include "base/scoped_value.hpp"
#include "exchange.hpp"
#include "held_layers.hpp"
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
  bool running = false;
};
using StreamPtr = std::shared_ptr<HostStream>;
// A stream crosses as the address of a pointer to it that JavaScript's `Stream` owns and frees.
using StreamHandle = std::uintptr_t;

val give(StreamPtr stream) {
  return val(
      reinterpret_cast<StreamHandle>(std::make_unique<StreamPtr>(std::move(stream)).release()));
}

// guarded(), with the stream: it lives until f has returned, whatever code of the user's disposes
// of.
val with_stream(StreamHandle handle, FunctionRef<val(HostStream&)> f) {
  return guarded([&] {
    const StreamPtr stream = *reinterpret_cast<StreamPtr*>(handle);
    // What runs is not to be changed, nor is it between two steps.
    if (stream->running) {
      state_error("a stream of '", stream->owner->name(),
                  "' is used by code that one of its steps runs; make a clone before");
    }
    const ScopedValue<bool> busy(stream->running, true);
    return f(*stream);
  });
}

void stream_free(StreamHandle handle) {
  const std::unique_ptr<StreamPtr> owned(reinterpret_cast<StreamPtr*>(handle));
}

Tensor copied(const Tensor& tensor) {
  Tensor result(tensor.dtype(), tensor.shape());
  std::copy_n(tensor.raw(), tensor.bytes(), result.mutable_raw());
  return result;
}

// The one step of a result with time, without that axis.
Tensor without_time(const Tensor& tensor, const Tensor& symbol) {
  if (!StreamPlan::timed(symbol)) return tensor;
  Shape shape = tensor.shape();
  shape.erase(1);
  return tensor.reshaped(shape);
}

val stream_create(LayerHandle handle, double batch, const val& shapes) {
  return with_layer(handle, [&](const LayerPtr& model) {
    Model* const graph = model->as_model();
    if (graph == nullptr) {
      unsupported_error("the model '", model->name(),
                        "' cannot run step by step: it has code of its own; make a Sequential or "
                        "functional model of its layers");
    }
    const auto plan = std::make_shared<StreamPlan>(*graph, Value(batch).as_integer("batchSize"),
                                                   shapes_from(shapes));
    return give(std::make_shared<HostStream>(std::make_shared<Stream>(plan), model));
  });
}

val stream_clone(StreamHandle handle) {
  return with_stream(handle, [](HostStream& stream) {
    return give(std::make_shared<HostStream>(stream.stream->clone(), stream.owner));
  });
}

val specs_to_js(const Tensors& symbols) {
  JsList list;
  for (const Tensor& symbol : symbols) {
    JsObject entry;
    entry.set("name", symbol.origin()->node()->operation->name());
    entry.set("shape", to_js(symbol.shape()));
    entry.set("dtype", static_cast<int>(symbol.dtype()));
    entry.set("timed", StreamPlan::timed(symbol));
    list.push(entry);
  }
  return list;
}

val stream_info(StreamHandle handle) {
  return with_stream(handle, [&](HostStream& stream) {
    JsObject info;
    info.set("inputs", specs_to_js(stream.stream->graph().inputs()));
    info.set("outputs", specs_to_js(stream.stream->graph().outputs()));
    const Structure& outputs = stream.stream->plan().outputs;
    info.set("list", outputs.list);
    info.set("keys", to_js(Value(List(outputs.keys.begin(), outputs.keys.end()))));
    info.set("address",
             static_cast<double>(reinterpret_cast<std::uintptr_t>(stream.inputs.front().raw())));
    return info;
  });
}

// `single`: one step, and no time axis in what comes back.
val stream_step(StreamHandle handle, const val& inputs, bool single) {
  return with_stream(handle, [&](HostStream& stream) {
    const Tensors& outputs = stream.stream->step(tensors_from(inputs));
    Structure results = stream.stream->plan().outputs;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const Tensor symbol = results.tensors[i];
      const Tensor copy = copied(outputs[i]);
      results.tensors[i] = single ? without_time(copy, symbol) : copy;
    }
    return to_js(results);
  });
}

// One step of the one input, which lies at its address; place and shape of the one output are in
// the exchange. `kept`: as a tensor of its own, else where the next step overwrites it.
val stream_step_one(StreamHandle handle, bool kept) {
  return with_stream(handle, [&](HostStream& stream) {
    const Tensor& output = stream.stream->step(stream.inputs).front();
    if (kept) {
      return val(give_with_exchange(
          without_time(copied(output), stream.stream->graph().outputs().front())));
    }
    set_exchange(output);
    return val(true);
  });
}

val stream_reset(StreamHandle handle) {
  return with_stream(handle, [&](HostStream& stream) {
    stream.stream->reset();
    return val(true);
  });
}

val stream_get_state(StreamHandle handle) {
  return with_stream(handle, [&](HostStream& stream) {
    JsList list;
    for (const Stream::Kept& kept : stream.stream->kept()) {
      JsObject entry;
      entry.set("layer", kept.layer);
      Tensors tensors;
      for (const Tensor& tensor : kept.state->tensors()) tensors.push_back(copied(tensor));
      entry.set("tensors", to_js(tensors));
      list.push(entry);
    }
    return list;
  });
}

val stream_set_state(StreamHandle handle, const val& states) {
  return with_stream(handle, [&](HostStream& stream) {
    std::vector<Tensors> given;
    for (std::size_t i = 0; i < length_of(states); ++i) given.push_back(tensors_from(states[i]));
    stream.stream->set(given);
    return val(true);
  });
}

EMSCRIPTEN_BINDINGS(maskflow_streams) {
  using emscripten::function;
  function("streamCreate", &stream_create);
  function("streamFree", &stream_free);
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
