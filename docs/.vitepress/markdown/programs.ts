// SPDX-License-Identifier: MIT
// Blocks of JavaScript get buttons: ```js runs in a worker of the page; ```js [no-run: reason],
// ```js {node} and files of projects (```js title="server.mjs") say why they do not. Any block with
// a title shows it.
import type { MarkdownRenderer } from 'vitepress';

/** Why a block is not run here, or undefined. VitePress turns `{node}` into an attribute. */
function reasonOf({ info, attrs }: Token): string | undefined {
  const said = /\[no-run: ([^\]]+)\]/.exec(info)?.[1];
  if (said) return said;
  if (attrs?.some(([name]) => name === 'node')) return 'Runs in Node.';
  return /title="/.test(info) ? 'A file of a project of your own.' : undefined;
}

type Token = ReturnType<MarkdownRenderer['parse']>[number];

const languageOf = (info: string) => /^\w*/.exec(info.trim())?.[0] ?? '';
const titleOf = (info: string) => /title="([^"]+)"/.exec(info)?.[1];

export function programs(md: MarkdownRenderer): void {
  const fence = md.renderer.rules.fence;
  if (!fence) throw new Error('markdown-it has no rule for blocks of code');
  const { escapeHtml } = md.utils;
  md.renderer.rules.fence = (tokens, index, options, env, self) => {
    const token = tokens[index] as Token;
    const { info } = token;
    const title = titleOf(info);
    // VitePress removes brackets from `info` when it renders the block.
    const reason = reasonOf(token);
    const block = fence(tokens, index, options, env, self);
    const caption = title ? `<p class="file-name"><code>${escapeHtml(title)}</code></p>` : '';
    if (languageOf(info) !== 'js') return caption + block;
    const attributes = reason === undefined ? '' : ` reason="${escapeHtml(reason)}"`;
    return `${caption}<RunBlock${attributes}>${block}</RunBlock>`;
  };
}
