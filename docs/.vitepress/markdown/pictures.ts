// SPDX-License-Identifier: MIT
// The sizes of drawings beside the sources, so that the text below does not move when they arrive.
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownRenderer } from 'vitepress';

/** Returns the width and height of an SVG file by its viewBox; undefined for other files. */
export function sizeOf(path: string): [width: string, height: string] | undefined {
  if (!path.endsWith('.svg') || !existsSync(path)) return undefined;
  const [, width, height] =
    /\bviewBox="0 0 (\d+(?:\.\d+)?) (\d+(?:\.\d+)?)"/.exec(readFileSync(path, 'utf8')) ?? [];
  return width !== undefined && height !== undefined ? [width, height] : undefined;
}

/** A plugin of the Markdown renderer; `env.path` is the path of the source. */
export function pictures(md: MarkdownRenderer): void {
  md.core.ruler.push('sizes of pictures', ({ tokens, env }) => {
    const images = tokens.flatMap(({ children }) => children ?? []);
    for (const image of images.filter(({ type }) => type === 'image')) {
      const source = image.attrGet('src') ?? '';
      const size = env.path && sizeOf(join(dirname(env.path), decodeURI(source)));
      if (!size) continue;
      image.attrSet('width', size[0]);
      image.attrSet('height', size[1]);
    }
  });
}
