// SPDX-License-Identifier: MIT
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Plugin } from 'vitepress';

/**
 * Writes the paths of all modules that the browser's part of the site contains to `file`, for the
 * licences (scripts/docs.mjs). Style sheets leave no code, so those count that were loaded.
 */
export function bundledPackages(file: string): Plugin {
  const styles = new Set<string>();
  let isForServer = false;
  let root = '';
  return {
    name: 'bundled-packages',
    configResolved: (config) => {
      isForServer = Boolean(config.build.ssr);
      root = config.root;
    },
    transform(_, id) {
      if (/\.(?:css|woff2)(?:\?|$)/.test(id)) styles.add(id);
    },
    generateBundle(_, bundle) {
      if (isForServer) return;
      const modules = Object.values(bundle).flatMap((chunk) =>
        chunk.type === 'chunk'
          ? Object.entries(chunk.modules).flatMap(([id, { renderedLength }]) =>
              renderedLength > 0 ? [id] : [],
            )
          : chunk.originalFileNames.map((path) => resolve(root, path)),
      );
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify([...new Set([...modules, ...styles])].sort()));
    },
  };
}
