// SPDX-License-Identifier: MIT
// `.keras` files taken apart, changed and put together again.
import { readFileSync } from 'node:fs';
import { unzipSync, zipSync } from 'fflate';

const folder = new URL('../fixtures/models/', import.meta.url);

export const fixturePath = (name) => new URL(name, folder);
export const fixture = (name) => new Uint8Array(readFileSync(fixturePath(name)));

const text = (value) => new TextEncoder().encode(value);

/** A recorded `.keras` file whose configuration `edit` has changed (in place, or by returning another). */
export function edited(name, edit, { level = 0, files: more = {} } = {}) {
  const files = unzipSync(fixture(`${name}.keras`));
  const config = JSON.parse(new TextDecoder().decode(files['config.json']));
  const result = edit(config) ?? config;
  return zipSync({ ...files, 'config.json': text(JSON.stringify(result)), ...more }, { level });
}

/** The layers of a configuration of that class, also those inside of others. */
export function layersOf(config, className) {
  if (typeof config !== 'object' || config === null) return [];
  const below = Object.values(config).flatMap((part) => layersOf(part, className));
  return config.class_name === className ? [config, ...below] : below;
}
