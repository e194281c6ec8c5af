// SPDX-License-Identifier: MIT
import { callbacks, Input, layers, ready, Sequential } from 'maskflow/train';

await ready();
const model = new Sequential([Input({ shape: [1] }), layers.dense({ units: 1 })]);
model.compile({ optimizer: 'sgd', loss: 'mse' });
let saved = null;
// In Node also a folder: callbacks.backupAndRestore('backup')
const backup = callbacks.backupAndRestore({
  read: () => saved,
  write: (bytes) => (saved = bytes),
  remove: () => (saved = null),
});
const options = { epochs: 4, callbacks: [backup] };
const onEpochBegin = (epoch) => {
  if (epoch === 2) throw new Error('interrupted');
};
await model.fit([[1], [2]], [[2], [4]], { ...options, onEpochBegin }).catch(() => {});
const { epoch } = await model.fit([[1], [2]], [[2], [4]], options);
console.log(epoch.join(' '));
// → 2 3
