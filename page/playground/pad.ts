// SPDX-License-Identifier: MIT
// The place to write the program: the editor, or a plain text field if the editor cannot be loaded.
import { find } from '../shared/dom.js';

export interface Pad {
  text(): string;
  set(text: string): void;
  /** Number of the first line with a syntax error, from 1. */
  fault(): number | undefined;
  /** Marks the line of an error; undefined removes the mark. */
  mark(line: number | undefined): void;
}

export interface PadOptions {
  onChange(): void;
  onRun(): void;
}

export async function openPad(place: HTMLElement, options: PadOptions): Promise<Pad> {
  const field = find<HTMLTextAreaElement>('[data-text]', place);
  try {
    const { openEditor } = await import('../shared/editor.js');
    const editor = openEditor(place, { text: field.value, label: 'Program', ...options });
    field.remove();
    return editor;
  } catch {
    return plain(field, options);
  }
}

function plain(field: HTMLTextAreaElement, { onChange, onRun }: PadOptions): Pad {
  field.addEventListener('input', onChange);
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    onRun();
  });
  return {
    text: () => field.value,
    set: (text) => {
      field.value = text;
      onChange();
    },
    fault: () => undefined,
    mark: () => {},
  };
}
