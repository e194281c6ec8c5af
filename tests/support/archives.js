// SPDX-License-Identifier: MIT
// Unpacks, changes and repacks `.keras` files.
import { readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';

const folder = new URL('../fixtures/models/', import.meta.url);

export const fixturePath = (name) => new URL(name, folder);
export const fixture = (name) => new Uint8Array(readFileSync(fixturePath(name)));

const text = (value) => new TextEncoder().encode(value);

/**
 * Returns a recorded `.keras` file whose config `edit` has changed (in place, or by returning
 * another).
 */
export function editedFile(name, edit, { level = 0, files: more = {} } = {}) {
  const files = unzipSync(fixture(`${name}.keras`));
  const config = JSON.parse(new TextDecoder().decode(files['config.json']));
  const result = edit(config) ?? config;
  return zipSync({ ...files, 'config.json': text(JSON.stringify(result)), ...more }, { level });
}

/** Returns the layers of a class in a config, including inner ones. */
export function layersOf(config, className) {
  if (typeof config !== 'object' || config === null) return [];
  const below = Object.values(config).flatMap((part) => layersOf(part, className));
  return config.class_name === className ? [config, ...below] : below;
}
