// SPDX-License-Identifier: MIT
// The editor, loaded when the visitor starts to edit. Tab leaves it, as it leaves any other field.
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { javascript } from '@codemirror/lang-javascript';
import {
  HighlightStyle,
  bracketMatching,
  ensureSyntaxTree,
  indentOnInput,
  syntaxHighlighting,
} from '@codemirror/language';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  drawSelection,
  keymap,
  lineNumbers,
} from '@codemirror/view';
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
  /** Number of the first line with a syntax error, from 1. */
  fault(): number | undefined;
  /** Marks the line of an error until the text changes. */
  mark(line: number | undefined): void;
}

export interface EditorOptions {
  text: string;
  label: string;
  onChange(text: string): void;
  /** Called for Ctrl or Command with Enter. */
  onRun(): void;
}

const markLine = StateEffect.define<number | undefined>();
const markedLine = Decoration.line({ class: 'cm-marked' });

const marks = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(shown, { docChanged, effects, state: { doc } }) {
    const effect = effects.find((each) => each.is(markLine));
    if (!effect) return docChanged ? Decoration.none : shown;
    const line: number | undefined = effect.value;
    return line !== undefined && line >= 1 && line <= doc.lines
      ? Decoration.set(markedLine.range(doc.line(line).from))
      : Decoration.none;
  },
  provide: (field) => EditorView.decorations.from(field),
});

function faultOf(state: EditorState): number | undefined {
  const tree = ensureSyntaxTree(state, state.doc.length, 200);
  let at: number | undefined;
  tree?.iterate({
    enter: ({ type, from }) => {
      if (type.isError) at ??= from;
    },
  });
  return at === undefined ? undefined : state.doc.lineAt(at).number;
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
        marks,
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
    fault: () => faultOf(view.state),
    mark(line) {
      const exists = line !== undefined && line >= 1 && line <= view.state.doc.lines;
      const scroll = exists
        ? [EditorView.scrollIntoView(view.state.doc.line(line).from, { y: 'nearest' })]
        : [];
      view.dispatch({ effects: [markLine.of(line), ...scroll] });
    },
  };
}
