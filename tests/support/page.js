// SPDX-License-Identifier: MIT
// Runs chapters of the page without a browser: the program that the controls produce runs in this
// process against the built package, and the chapter's reader reads its result.
import { readFileSync } from 'node:fs';
import { build } from 'esbuild';

const root = new URL('../../', import.meta.url);
const at = (path) => new URL(path, root).pathname;
const bundles = new Map();

/** Bundles the modules of the page that `code` exports, for Node. */
async function bundle(code) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: at('page'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'neutral',
    keepNames: true,
    mainFields: ['module', 'main'],
    alias: { 'page-files': at('page/engine/files_served.ts') },
    logLevel: 'error',
  });
  return import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
}

/** Returns a chapter, its reader, and the functions with which the page builds programs. */
export function chapterOf(id) {
  const code = `
    export { ${id} as chapter } from './chapters/${id}/chapter.ts';
    export { ${id} as reader } from './chapters/${id}/read.ts';
    export { compile } from './engine/compile.ts';
    export { Settings } from './shared/settings.ts';
    export { batchOf } from './shared/batch.ts';`;
  if (!bundles.has(id)) bundles.set(id, bundle(code));
  return bundles.get(id);
}

/**
 * Bundles modules of the page by themselves: `pageModule("export * from './shared/address.ts'")`.
 */
export const pageModule = (code) => bundle(code);

const attribute = (tag, name) => new RegExp(`\\s${name}(?:="([^"]*)")?(?=[\\s/>])`).exec(tag);
const decode = (text) =>
  text.replace(
    /&(lt|gt|quot|amp);/g,
    (_, name) => ({ lt: '<', gt: '>', quot: '"', amp: '&' })[name],
  );

/** Returns the initial values of a chapter's controls, read from its HTML. */
export function defaultsOf(id) {
  const html = readFileSync(at(`page/chapters/${id}/chapter.html`), 'utf8');
  const form = /<form[\s\S]*<\/form>/.exec(html)?.[0] ?? '';
  const values = new Map();
  for (const [tag] of form.matchAll(/<input[^>]*>/g)) {
    const name = attribute(tag, 'name')?.[1];
    const type = attribute(tag, 'type')?.[1] ?? 'text';
    if (!name || type === 'file') continue;
    const value = decode(attribute(tag, 'value')?.[1] ?? '');
    const isChecked = attribute(tag, 'checked') !== null;
    if (type === 'checkbox') values.set(name, isChecked ? '1' : '0');
    else if (type !== 'radio' || isChecked) values.set(name, value);
  }
  for (const [, tag, text] of form.matchAll(/<textarea([^>]*)>\n?([\s\S]*?)<\/textarea\s*>/g)) {
    values.set(attribute(`${tag}>`, 'name')?.[1], decode(text));
  }
  for (const [, tag, inside] of form.matchAll(/<select([^>]*)>([\s\S]*?)<\/select>/g)) {
    const options = [...inside.matchAll(/<option([^>]*)>([^<]*)/g)];
    const selected = options.find(([, each]) => attribute(`${each}>`, 'selected')) ?? options[0];
    const value = selected && (attribute(`${selected[1]}>`, 'value')?.[1] ?? selected[2].trim());
    values.set(attribute(`${tag}>`, 'name')?.[1], decode(value ?? ''));
  }
  return values;
}

/** Returns the part of a scene from which programs are built. */
async function sceneOf(id, set, batch) {
  const { Settings, batchOf } = await chapterOf(id);
  const settings = new Settings(new Map([...defaultsOf(id), ...Object.entries(set)]));
  const rows = new Settings(new Map([...defaultsOf('padding'), ...Object.entries(batch)]));
  return { settings, batch: batchOf(rows), predicted: () => true };
}

/**
 * Returns the program of a chapter with these changed controls; `batch` has the controls of chapter
 * 1.
 */
export async function programOf(id, set = {}, batch = {}) {
  const { chapter } = await chapterOf(id);
  return chapter.program(await sceneOf(id, set, batch));
}

const entries = {
  'maskflow/recurrent': 'index',
  maskflow: 'index',
  'maskflow/text': 'text',
  'maskflow/train': 'train',
};

/**
 * Runs a chapter's program. `data` is what its figure would draw, `says` the sentence under it,
 * `printed` the output of the program; `call` asks the chapter's reader. `flow` is the package that
 * the program imports: 'train' for chapters that train.
 */
export async function runChapter(
  id,
  {
    set = {},
    batch = {},
    flow = 'index',
    given,
    show = () => {},
    turn = async () => true,
    edit = (text) => text,
  } = {},
) {
  const { chapter, reader, compile } = await chapterOf(id);
  const scene = await sceneOf(id, set, batch);
  const text = edit(chapter.program(scene));
  const load = (specifier) =>
    import(
      at(
        `dist/${flow === 'train' && specifier !== 'maskflow/text' ? 'train' : entries[specifier]}.js`,
      )
    );
  const main = await load('maskflow');
  const printed = [];
  const log = console.log;
  console.log = (...values) => printed.push(values.map(String).join(' '));
  const module = async (specifier) => ({
    ...(await load(specifier)),
    loadModel: fromFixtures(main),
  });
  const scope = { __import: module, given: given ?? chapter.given?.(scene), show, turn };
  try {
    const compiled = await compile(text, reader.names, Object.keys(scope));
    const exported = await compiled(scope);
    const values = { ...exported };
    const data = structuredClone(await reader.read(values, main));
    const call = async (method, ...args) =>
      structuredClone(await reader.calls[method](values, main, ...args));
    return {
      text,
      data,
      call,
      printed,
      says: chapter.summarize?.(data, scene),
      judged: chapter.judge?.(data, scene),
      sums: chapter.sums?.(data, scene) ?? [],
    };
  } finally {
    console.log = log;
  }
}

/** Replaces `loadModel` so that the page's models come from tests/fixtures/trained. */
const fromFixtures = (main) => (source, options) =>
  main.loadModel(
    typeof source === 'string'
      ? source.replace(/^models\//, at('tests/fixtures/trained/'))
      : source,
    options,
  );
