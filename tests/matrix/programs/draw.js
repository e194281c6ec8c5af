// SPDX-License-Identifier: MIT
// The entry maskflow/draw: a figure of a model with its mask has the same marks in every engine.
export const wanted = [3, 2, 1, 0];

const count = (svg, text) => svg.split(text).length - 1;

export async function run({ mf, draw }, { ready }) {
  await mf.ready({ ...ready, onMaskDropped: 'silent' });
  const model = new mf.Sequential([
    mf.layers.embedding({ inputDim: 9, outputDim: 2, maskZero: true, name: '<words>' }),
    mf.layers.conv1D({ filters: 2, kernelSize: 2 }),
    mf.layers.globalMaxPooling1D(),
  ]);
  const svg = draw.drawModel(model, [[1, 2, 0]]);
  const masked = draw.drawMask([[true, false]], { theme: 'dark' });
  return [
    count(svg, '<title>') - 1,
    count(masked, '>T</text>') + count(masked, '>F</text>'),
    count(svg, 'drops the mask</text>'),
    count(svg, '<words>'),
  ];
}
