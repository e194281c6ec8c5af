// SPDX-License-Identifier: MIT
/**
 * Translates Python programs that use Keras to JavaScript programs that use maskflow. It is an
 * entry of its own, which contains the parser and loads no wasm.
 *
 * @module maskflow/port
 */
import { PortError } from './port/errors.js';
import { isNotebook, programOfText, readNotebook, withoutMagics } from './port/notebook.js';
import { readModule } from './port/statements.js';
import { cleaned } from './port/pasted.js';
import { Source } from './port/tree.js';
import { translate } from './port/translate.js';

export { PortError };

/** Options of {@link port}. */
export interface PortOptions {
  /** Name of the source, for its kind: `.ipynb` is a notebook. Default: the content decides. */
  filename?: string;
  /** Whether the program ends with the masks of its last model, printed for its last input. */
  trace?: boolean;
}

/** Something that a program says differently here, or cannot say. */
export interface PortNote {
  /** Line of the source, from 1. For notebooks, of its cells joined. */
  line: number;
  /** Column of the source, from 1. */
  column: number;
  /**
   * `absent`: a statement has no partner and is a comment now; `depends`: it uses the value of
   * such a statement; `guess`: a choice that may be wrong; `name`: a name that nothing defines;
   * `import`: a module without a partner; `setting`: a setting that maskflow lacks; `ignored`:
   * something without effect here; `random`: random numbers, which differ; `dtype`: numbers of
   * another type; `default`: a behavior of Keras that maskflow does not share; `format`: a form of
   * text.
   */
  kind: string;
  /** The reason, and what to write instead. */
  text: string;
}

/** A translated program. */
export interface Ported {
  /** The program in JavaScript, an ES module. */
  code: string;
  /** Notes to look at, in the order of the source. */
  notes: PortNote[];
  /** For each line of the code the line of the source, from 1, or null. */
  lines: (number | null)[];
  /** The Python program, with `\n` at the ends of lines; for notebooks, their cells joined. */
  source: string;
}

const largest = 2 ** 20;
/** Notebooks also contain pictures, which are no part of the program. */
const largestNotebook = 2 ** 26;

function checkLength(source: string, most: number): void {
  if (source.length > most) {
    const message = `the source has ${source.length} characters; at most ${most} are translated`;
    throw new PortError(message, 1, 1);
  }
}

function cellsOf(source: string): string {
  checkLength(source, largestNotebook);
  try {
    return readNotebook(source);
  } catch {
    throw new PortError('the notebook is not valid JSON', 1, 1);
  }
}

/** Returns the program of a source. */
function programOf(source: unknown, filename: unknown): string {
  if (typeof source !== 'string') throw new PortError('the source must be a string', 1, 1);
  const text = source.replace(/^\ufeff/, '');
  const isJson = (typeof filename === 'string' && filename.endsWith('.ipynb')) || isNotebook(text);
  if (!isJson) checkLength(text, largest);
  const program = isJson ? cellsOf(text) : programOfText(text.replace(/\r\n?/g, '\n'));
  checkLength(program, largest);
  return program;
}

function readProgram(program: string) {
  const { text, magics } = withoutMagics(program);
  const read = new Source(text, program);
  const module = readModule(read);
  return { program, module, read, magics: magics.map((magic) => ({ ...magic, kind: 'ignored' })) };
}

/** Reads a program, without prompts and the like if it is not Python as it is. */
function readPasted(program: string) {
  try {
    return readProgram(program);
  } catch (error) {
    const { text, notes } = cleaned(program);
    if (text === program) throw error;
    try {
      const result = readProgram(text);
      return { ...result, magics: [...notes, ...result.magics] };
    } catch {
      throw error;
    }
  }
}

/**
 * Translates a Python program or a notebook. Nothing is executed. What has no partner becomes a
 * comment and a note; the rest is a valid program.
 *
 * Throws PortError, with line and column, if the source is not valid Python 3.
 *
 * @param source The text of a `.py` or `.ipynb` file.
 */
export function port(source: string, options: PortOptions = {}): Ported {
  const { filename, trace } = options ?? {};
  const { program, module, read, magics } = readPasted(programOf(source, filename));
  const { lines, offsets, notes } = translate(module, program, trace);
  const drafts = [...notes, ...magics];
  drafts.sort((a, b) => a.at - b.at);
  return {
    code: lines.map((line) => `${line}\n`).join(''),
    notes: drafts.map(({ at, kind, text: words }) => ({
      ...read.places.of(at),
      kind,
      text: words,
    })),
    lines: offsets.map((at) => (at === null ? null : read.places.of(at).line)),
    source: program,
  };
}
