// SPDX-License-Identifier: MIT
// A project whose `lib` contains no platform.
import {
  type Layer,
  layers,
  loadModel,
  type ModelSource,
  ready,
  Sequential,
  type Tensor,
  tensor,
  UnsupportedError,
} from 'maskflow';
import * as recurrent from 'maskflow/recurrent';
import { TextVectorization } from 'maskflow/text';
import { openPool, type PoolModel } from 'maskflow/worker';

export async function main(source: ModelSource): Promise<Tensor> {
  await ready({ wasm: new Uint8Array(8) });
  const layer: Layer = layers.lstm({ units: 2 });
  const model = new Sequential([layer, recurrent.layers.dense({ units: 1 })]);
  const far: PoolModel = await (await openPool()).loadModel('m.keras');
  using x = tensor([[1, 2]]);
  const ids: Tensor = new TextVectorization({ vocabulary: ['a'] }).apply(['a']);
  // @ts-expect-error not a source, though the platform's own types are not known
  await loadModel(7);
  if (far instanceof UnsupportedError) return ids;
  return (await loadModel(source)).predict<Tensor>(model.predict(x));
}
