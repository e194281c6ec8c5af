// SPDX-License-Identifier: MIT
// The texts of `maskflow help`, written from the descriptions of the commands.
import { type Command, commonOptions, optionsOf, usageOf } from './command.js';
import { exitCodes } from './usage.js';

const kWidth = 100;

/** Breaks text into lines of at most `width` characters. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line && line.length + 1 + word.length > width) {
      lines.push(line);
      line = '';
    }
    line = line ? `${line} ${word}` : word;
  }
  return [...lines, line];
}

type Row = readonly [name: string, help: string];

/** Writes two columns: names and their help. */
function columns(rows: readonly Row[]): string {
  const width = Math.max(...rows.map(([name]) => name.length));
  return rows
    .flatMap(([name, help]) =>
      wrap(help, kWidth - width - 4).map(
        (line, i) => `  ${(i === 0 ? name : '').padEnd(width)}  ${line}`,
      ),
    )
    .join('\n');
}

const optionRows = (options: Command['options']): Row[] =>
  Object.entries(options).map(([name, { value, short, help }]) => [
    `${short ? `-${short}, ` : '    '}--${name}${value ? ` ${value}` : ''}`,
    help,
  ]);

const exits = `Exit codes: ${exitCodes.fine} success; ${exitCodes.failed} something could not be read, run or written, or verify found a difference; ${exitCodes.usage} wrong arguments.`;

/** Returns the text of `maskflow help`. */
export function generalHelp(commands: readonly Command[]): string {
  const list = commands.map((command) => [usageOf(command), command.summary] as const);
  return [
    'maskflow: Keras models on the command line',
    columns([...list, ['help [COMMAND]', 'the arguments of a command']]),
    wrap(
      'MODEL is a .keras, .h5 or TensorFlow.js model.json file, a folder with one, or an address; - is standard input.',
      kWidth,
    ).join('\n'),
    columns(optionRows(commonOptions)),
    wrap(exits, kWidth).join('\n'),
  ].join('\n\n');
}

/** Returns the text of `maskflow help COMMAND`. */
export function commandHelp(command: Command): string {
  const paragraphs = (command.notes ?? '').split('\n').filter(Boolean);
  return [
    `maskflow ${usageOf(command)} [options]: ${command.summary}`,
    columns(command.operands.map(({ name, help }) => [name, help])),
    ...paragraphs.map((text) => wrap(text, kWidth).join('\n')),
    columns(optionRows(optionsOf(command))),
    `Example: maskflow ${command.example}`,
  ].join('\n\n');
}
