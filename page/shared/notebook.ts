// SPDX-License-Identifier: MIT
/** Returns the cells of a notebook as one Python program, with its texts as comments. */
export function cellsOf(text: string): string {
  if (!/^\s*\{/.test(text) || !/"nbformat"\s*:/.test(text)) return text;
  let cells: unknown;
  try {
    ({ cells } = JSON.parse(text));
  } catch {
    return text;
  }
  if (!Array.isArray(cells)) return text;
  const parts = cells.map((cell: { cell_type?: unknown; source?: unknown } | null) => {
    const source = cell?.source;
    const lines = (Array.isArray(source) ? source.join('') : String(source ?? '')).trimEnd();
    return cell?.cell_type === 'code' ? lines : lines.replace(/^/gm, '# ');
  });
  return `${parts.filter((part) => part.trim() !== '').join('\n\n')}\n`;
}
