// SPDX-License-Identifier: MIT
// Writes and reads HDF5 files with libhdf5 itself (h5wasm).
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import h5wasm from 'h5wasm/node';

await h5wasm.ready;

function inFolder(use) {
  const folder = mkdtempSync(join(tmpdir(), 'maskflow-hdf5-'));
  try {
    return use(join(folder, 'file.h5'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Returns the bytes of a file that `fill` has filled. `options`: { libver, track_order }. */
export function writeWithLibhdf5(fill, options = {}) {
  return inFolder((path) => {
    const file = new h5wasm.File(path, 'w', options);
    fill(file);
    file.close();
    return new Uint8Array(readFileSync(path));
  });
}

const toPlain = (value) => {
  if (typeof value === 'bigint') return Number(value);
  if (ArrayBuffer.isView(value)) return Array.from(value, Number);
  return value;
};

/** Returns everything in a file, flat: { path: { kind, attributes, shape?, values? } }. */
export function readWithLibhdf5(bytes) {
  return inFolder((path) => {
    writeFileSync(path, bytes);
    const file = new h5wasm.File(path, 'r');
    const content = {};
    const visit = (item, at) => {
      const attributes = Object.fromEntries(
        Object.entries(item.attrs).map(([name, { value }]) => [name, toPlain(value)]),
      );
      if (item instanceof h5wasm.Dataset) {
        content[at] = {
          kind: 'dataset',
          attributes,
          shape: item.shape,
          values: toPlain(item.value),
        };
        return;
      }
      content[at] = { kind: 'group', attributes };
      for (const key of item.keys()) visit(item.get(key), at ? `${at}/${key}` : key);
    };
    visit(file.get('/'), '');
    file.close();
    return content;
  });
}

/** Returns the same as readWithLibhdf5(), for a file opened by the package's own reader. */
export function readAll(root) {
  const content = {};
  // A group may contain itself; the caller must limit the depth.
  const visit = (item, depth = 0) => {
    const attributes = Object.fromEntries(
      [...item.attributes].map(([name, value]) => [name, toPlain(value)]),
    );
    if (item.kind === 'dataset') {
      const values = item.shape.length === 0 ? item.read()[0] : toPlain(item.read());
      content[item.path] = { kind: 'dataset', attributes, shape: [...item.shape], values };
      return;
    }
    content[item.path] = { kind: 'group', attributes };
    for (const key of depth < 20 ? item.keys() : []) visit(item.get(key), depth + 1);
  };
  visit(root);
  return content;
}
