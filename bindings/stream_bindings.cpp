// SPDX-License-Identifier: MIT
// Streams as JavaScript calls them. The module of recurrent layers does not link this table.
#include "base/scoped_value.hpp"
#include "bind.hpp"
#include "exchange.hpp"
#include "kernels/copy.hpp"
#include "model/stream.hpp"

namespace maskflow::bindings {
namespace {

// A stream, its model, and a tensor for one step of each input. JavaScript writes the usual step,
// of one input, to the memory of that tensor.
struct HostStream {
  HostStream(std::shared_ptr<Stream> source, LayerPtr model)
      : stream(std::move(source)), owner(std::move(model)) {
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
// A stream crosses as the address of a StreamPtr that JavaScript's `Stream` owns and frees.
using StreamHandle = std::uintptr_t;

}  // namespace

template <>
struct Receiver<HostStream&> {
  using Wire = StreamHandle;
  // The stream lives until f has returned, even if user code disposes of it. Code that one of its
  // steps runs must not use it.
  static val run(StreamHandle handle, FunctionRef<val(HostStream&)> f) {
    return guarded([&] {
      const StreamPtr stream = *reinterpret_cast<StreamPtr*>(handle);
      if (stream->running) {
        state_error("a stream of '", stream->owner->name(),
                    "' is used by code that one of its steps runs; clone the stream beforehand");
      }
      const ScopedValue<bool> scope(stream->running, true);
      return f(*stream);
    });
  }
};

namespace {

StreamHandle give_stream(std::shared_ptr<Stream> stream, LayerPtr model) {
  return give(std::make_shared<HostStream>(std::move(stream), std::move(model)));
}

void stream_free(StreamHandle handle) { free_given<StreamPtr>(handle); }

Tensor copy_of(const Tensor& tensor) {
  Tensor result(tensor.dtype(), tensor.shape());
  std::copy_n(tensor.raw(), tensor.bytes(), result.mutable_raw());
  return result;
}

// Returns one step of an output, without the time axis of size 1 if the output has time.
Tensor without_time(const Tensor& tensor, const Tensor& symbol) {
  if (!StreamPlan::timed(symbol)) return tensor;
  Shape shape = tensor.shape();
  shape.erase(1);
  return tensor.reshaped(shape);
}

StreamHandle stream_create(const LayerPtr& layer, double batch, const std::vector<Shape>& shapes) {
  Model* const model = layer->as_model();
  if (model == nullptr) {
    unsupported_error("the model '", layer->name(),
                      "' cannot run step by step: it has code of its own; make a Sequential or "
                      "functional model of its layers");
  }
  const auto plan =
      std::make_shared<StreamPlan>(*model, Value(batch).as_integer("batchSize"), shapes);
  return give_stream(std::make_shared<Stream>(plan), layer);
}

StreamHandle stream_clone(HostStream& stream) {
  return give_stream(stream.stream->clone(), stream.owner);
}

JsList specs_to_js(const Tensors& symbols) {
  return list_of(symbols, [](const Tensor& symbol) {
    return object_of(Field{"name", symbol.origin()->node()->operation->name()},
                     Field{"shape", symbol.shape()}, Field{"dtype", symbol.dtype()},
                     Field{"timed", StreamPlan::timed(symbol)});
  });
}

JsObject stream_info(HostStream& stream) {
  const Graph& graph = stream.stream->graph();
  const Structure& outputs = stream.stream->plan().outputs;
  return object_of(Field{"inputs", specs_to_js(graph.inputs())},
                   Field{"outputs", specs_to_js(graph.outputs())}, Field{"list", outputs.list},
                   Field{"keys", outputs.keys},
                   Field{"address", reinterpret_cast<std::uintptr_t>(stream.inputs.front().raw())});
}

// Runs steps of the inputs. If `single`, the inputs are one step, and the results lack their time
// axis.
Structure stream_step(HostStream& stream, const Tensors& inputs, bool single) {
  const Tensors& outputs = stream.stream->step(inputs);
  Structure results = stream.stream->plan().outputs;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const Tensor symbol = results.tensors[i];
    const Tensor copy = copy_of(outputs[i]);
    results.tensors[i] = single ? without_time(copy, symbol) : copy;
  }
  return results;
}

// Runs one step of the only input, which JavaScript has written to its address. Leaves the shape
// and the address of the only output in the exchange. `copies`: the output is a tensor of its own,
// and its handle is returned; otherwise the next step overwrites the output.
val stream_step_one(HostStream& stream, bool copies) {
  const Tensor& output = stream.stream->step(stream.inputs).front();
  if (copies) {
    return val(give_with_exchange(
        without_time(copy_of(output), stream.stream->graph().outputs().front())));
  }
  set_exchange(output);
  return val(true);
}

void stream_reset(HostStream& stream) { stream.stream->reset(); }

JsList stream_get_state(HostStream& stream) {
  return list_of(stream.stream->states(), [](const Stream::NamedState& kept) {
    return object_of(Field{"layer", kept.layer},
                     Field{"tensors", list_of(kept.state->tensors(), [](const Tensor& tensor) {
                             return to_js(copy_of(tensor));
                           })});
  });
}

void stream_set_state(HostStream& stream, const val& states) {
  std::vector<Tensors> layers;
  for (std::size_t i = 0; i < length_of(states); ++i) layers.push_back(tensors_from(states[i]));
  stream.stream->set(layers);
}

EMSCRIPTEN_BINDINGS(maskflow_streams) {
  emscripten::function("streamFree", &stream_free);
  bind<&stream_create>("streamCreate");
  bind<&stream_clone>("streamClone");
  bind<&stream_info>("streamInfo");
  bind<&stream_step>("streamStep");
  bind<&stream_step_one>("streamStepOne");
  bind<&stream_reset>("streamReset");
  bind<&stream_get_state>("streamGetState");
  bind<&stream_set_state>("streamSetState");
}

}  // namespace
}  // namespace maskflow::bindings
