// SPDX-License-Identifier: MIT
// The editor, fetched when somebody wants to edit. Tab leaves it, as it leaves any field; Escape and then Tab is not needed.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState } from '@codemirror/state';
import { EditorView, drawSelection, keymap, lineNumbers } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const colours = HighlightStyle.define([
  { tag: [tags.comment], class: 'comment' },
  { tag: [tags.string, tags.number, tags.bool, tags.null], class: 'literal' },
  { tag: [tags.keyword, tags.operatorKeyword], class: 'keyword' },
]);

export interface Editor {
  text(): string;
  set(text: string): void;
  focus(): void;
}

export interface EditorOptions {
  text: string;
  label: string;
  onChange(text: string): void;
  /** Ctrl or Command with Enter. */
  onRun(): void;
}

export function openEditor(parent: HTMLElement, options: EditorOptions): Editor {
  const run = () => {
    options.onRun();
    return true;
  };
  const view = new EditorView({
    parent,
    state: EditorState.create({
      doc: options.text,
      extensions: [
        lineNumbers(),
        history(),
        drawSelection(),
        indentOnInput(),
        bracketMatching(),
        javascript(),
        syntaxHighlighting(colours),
        keymap.of([{ key: 'Mod-Enter', run }, ...defaultKeymap, ...historyKeymap]),
        EditorView.lineWrapping,
        EditorView.contentAttributes.of({ 'aria-label': options.label }),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) options.onChange(update.state.doc.toString());
        }),
      ],
    }),
  });
  return {
    text: () => view.state.doc.toString(),
    set(text) {
      if (text === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
    },
    focus: () => view.focus(),
  };
}
