// SPDX-License-Identifier: MIT
// The colours of programs, as in the page's editor: comments are paler, strings and numbers are
// blue, keywords are bold. Variables of the page make one theme fit light and dark, which halves
// the time that highlighting takes.
import type { ThemeRegistrationRaw } from 'shiki';

const colour = (scope: string[], foreground: string, fontStyle?: string) => ({
  scope,
  settings: { foreground, ...(fontStyle !== undefined && { fontStyle }) },
});

export const codeTheme: ThemeRegistrationRaw = {
  name: 'page',
  type: 'light',
  colors: { 'editor.foreground': 'var(--ink)', 'editor.background': 'var(--surface)' },
  settings: [
    colour(['comment', 'punctuation.definition.comment'], 'var(--soft)'),
    colour(
      ['string', 'constant.numeric', 'constant.language', 'punctuation.definition.string'],
      'var(--accent)',
    ),
    colour(['meta.template.expression', 'meta.embedded'], 'var(--ink)'),
    colour(
      ['keyword.control', 'keyword.operator.new', 'keyword.operator.expression', 'storage'],
      'var(--ink)',
      'bold',
    ),
  ],
};
