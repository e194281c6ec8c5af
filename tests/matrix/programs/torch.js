// SPDX-License-Identifier: MIT
// The entry maskflow/torch: it fetches its reader, and its layers are those of the main entry.
export const wanted = [4, 11];

/** A .safetensors file with a Linear of 3 inputs and 2 outputs. */
function linear() {
  const header = JSON.stringify({
    'fc.weight': { dtype: 'F32', shape: [2, 3], data_offsets: [0, 24] },
    'fc.bias': { dtype: 'F32', shape: [2], data_offsets: [24, 32] },
  });
  const data = new Uint8Array(Float32Array.of(1, 0, 1, 2, 1, 2, 0, 1).buffer);
  const bytes = new Uint8Array(8 + header.length + data.length);
  new DataView(bytes.buffer).setUint32(0, header.length, true);
  bytes.set(new TextEncoder().encode(header), 8);
  bytes.set(data, 8 + header.length);
  return bytes;
}

export async function run({ mf, torch }, { ready }) {
  await mf.ready(ready);
  const file = await torch.readTorch(linear());
  const model = new mf.Sequential([file.layer('fc')]);
  return model
    .predict([[1, 2, 3]])
    .array()
    .flat();
}
