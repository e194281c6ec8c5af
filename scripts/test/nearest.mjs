// SPDX-License-Identifier: MIT
// Orders the tests by how near they are to a source file, for `npm test -- --for FILE`. The order
// is computed from the texts in about two seconds, so that no recorded map can be stale. A test is
// near a file if it includes or imports it, is named like it, quotes its messages or uses its
// words, or if it is near to files that include or import it.
import { readFileSync } from 'node:fs';
import { posix } from 'node:path';
import { projectFiles } from '../lib/checks.mjs';
import { at } from '../lib/files.mjs';

/** Share of its score that a test of a file passes on to the files that the file imports. */
const kInherited = 0.4;
/** Number of imports between a file and a test over which scores are passed on. */
const kDepth = 2;
/** A file that more files import is used everywhere, so that its importers say nothing about it. */
const kMaxImporters = 40;

export const isTest = (path) =>
  /^tests\/.*(?:\.test\.js|_test\.cpp)$/.test(path) && !/^tests\/matrix\//.test(path);
const isSource = (path) =>
  /^(?:src|bindings|web|page|scripts|bench|examples|tests\/support|tests\/core\/support)\/.*\.(?:[ch]pp|tsx?|[cm]?js|css|html|sh)$/.test(
    path,
  ) && !/\.gen\.|\.d\.ts$|_test\.cpp$/.test(path);

/** Returns a path without its ending, so that a header and its .cpp file are one unit. */
const unitOf = (path) => path.replace(/\.[^./]+$/, '');

/**
 * Splits an identifier into lower-case parts: kvCache, KvCache and kv_cache are ['kv', 'cache'].
 */
const partsOf = (name) =>
  name
    .replace(/^k(?=[A-Z])/, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter(Boolean);

/** Returns the name of a file without its endings: 'kvcache' of kv_cache_test.cpp. */
const titleOf = (path) =>
  partsOf(path.replace(/^.*\//, '').replace(/_test\.cpp$|\..*$/, '')).join('');

/** Returns how often each word occurs: identifiers in one spelling, and their parts. */
function wordsOf(text) {
  const words = new Map();
  const add = (word) => words.set(word, (words.get(word) ?? 0) + 1);
  for (const [name] of text.matchAll(/[A-Za-z_][A-Za-z0-9_]{2,}/g)) {
    const parts = partsOf(name);
    add(parts.join(''));
    if (parts.length > 1) for (const part of parts) if (part.length > 2) add(part);
  }
  return words;
}

/** Returns the triples of neighbouring words in quoted texts, by which tests quote messages. */
function triplesOf(text) {
  const triples = new Set();
  for (const [, , quoted] of text.matchAll(/(["'`/])((?:\\.|(?!\1)[^\\\n])*)\1/g)) {
    for (const piece of quoted.split(/\$\{[^}]*\}/)) {
      const words = piece.toLowerCase().match(/[a-z]+/g) ?? [];
      for (let i = 0; i + 2 < words.length; i++) triples.add(words.slice(i, i + 3).join(' '));
    }
  }
  return triples;
}

/** Returns the units that a file includes or imports, or names by path as tests of internals do. */
function importsOf(path, text, units) {
  const found = new Set();
  const add = (name) => {
    const unit = unitOf(name);
    if (units.has(unit)) found.add(unit);
  };
  for (const [, name] of text.matchAll(/#include "([^"]+)"/g)) {
    add(`src/${name}`);
    add(`bindings/${name}`);
    add(`tests/core/${name}`);
  }
  for (const [, name] of text.matchAll(/["'`]([\w@./-]+\.(?:[cm]?[jt]sx?|css|html))["'`]/g)) {
    if (name.startsWith('.')) add(posix.join(posix.dirname(path), name));
    else for (const folder of ['', 'web/src/', 'page/', 'scripts/']) add(folder + name);
  }
  found.delete(unitOf(path));
  return found;
}

/** Returns log(total / count) for each key of some collections of keys. */
function rarity(collections) {
  const counts = new Map();
  for (const keys of collections)
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const total = collections.length;
  return (key) => (counts.has(key) ? Math.log(1 + total / counts.get(key)) : 0);
}

/** Reads the project once: units of sources, and tests. */
function readProject() {
  const paths = projectFiles();
  const units = new Map();
  for (const path of paths.filter(isSource)) {
    const unit = units.get(unitOf(path)) ?? { texts: [], paths: [] };
    unit.paths.push(path);
    unit.texts.push(readFileSync(at(path), 'utf8'));
    units.set(unitOf(path), unit);
  }
  for (const [name, unit] of units) {
    const text = unit.texts.join('\n');
    Object.assign(unit, { key: name, title: titleOf(name), name: partsOf(name) });
    Object.assign(unit, { words: wordsOf(text), triples: triplesOf(text) });
    unit.imports = importsOf(unit.paths[0], text, units);
  }
  const tests = paths.filter(isTest).map((path) => {
    const text = readFileSync(at(path), 'utf8');
    const imports = importsOf(path, text, units);
    const name = new Set(partsOf(unitOf(path)));
    const words = wordsOf(text);
    const size = [...words.values()].reduce((sum, count) => sum + count, 0);
    return { path, words, triples: triplesOf(text), imports, name, size, title: titleOf(path) };
  });
  return { units, tests };
}

/** Returns a function that scores how much a test is about a unit, without regard to importers. */
function contentScore({ units, tests }) {
  const sources = [...units.values()];
  const inSources = rarity(sources.map(({ words }) => words.keys()));
  const inTests = rarity(tests.map(({ words }) => words.keys()));
  const triplesInTests = rarity(tests.map(({ triples }) => triples));
  const triplesInSources = rarity(sources.map(({ triples }) => triples));
  const importedByTests = rarity(tests.map(({ imports }) => imports));
  const nameRarity = rarity(tests.map(({ name }) => name));
  const mean = tests.reduce((sum, { size }) => sum + size, 0) / tests.length;
  return (unit, test) => {
    let content = 0;
    let max = 0;
    for (const [word, count] of unit.words) {
      const value = inSources(word) ** 2 * inTests(word) * Math.sqrt(count);
      max += value;
      const found = test.words.get(word);
      if (found)
        content += (value * 2.2 * found) / (found + 1.2 * (0.5 + (0.5 * test.size) / mean));
    }
    let quoted = 0;
    for (const triple of unit.triples) {
      if (test.triples.has(triple)) quoted += triplesInTests(triple) * triplesInSources(triple);
    }
    let named = 0;
    for (const part of new Set(unit.name.slice(1)))
      if (test.name.has(part)) named += nameRarity(part);
    const isNamesake = test.title === unit.title || test.title === `${unit.title}s`;
    const direct = test.imports.has(unit.key) ? importedByTests(unit.key) / 2 : 0;
    return (
      (10 * content) / (max + 1) + Math.sqrt(quoted) / 6 + named / 8 + direct + (isNamesake ? 2 : 0)
    );
  };
}

/** Returns the units that import each unit. */
function importersOf(units) {
  const importers = new Map([...units.keys()].map((name) => [name, []]));
  for (const [name, { imports }] of units) {
    for (const imported of imports) importers.get(imported).push(name);
  }
  return importers;
}

let project;

/** Returns { path, score } of the tests, nearest first, for a path of a source. */
export function nearestTests(path) {
  project ??= readProject();
  const { units, tests } = project;
  project.content ??= contentScore(project);
  project.importers ??= importersOf(units);
  if (isTest(path)) return [{ path, score: 1 }];
  const scores = new Map(tests.map((test) => [test.path, 0]));
  let level = new Map([[unitOf(path), 1]]);
  const seen = new Set();
  for (let depth = 0; depth <= kDepth && level.size > 0; depth++) {
    const next = new Map();
    const best = new Map();
    for (const [name, weight] of level) {
      const unit = units.get(name);
      if (!unit || seen.has(name)) continue;
      seen.add(name);
      for (const test of tests) {
        const score = weight * project.content(unit, test);
        best.set(test.path, Math.max(best.get(test.path) ?? 0, score));
      }
      const importers = project.importers.get(name);
      if (importers.length > kMaxImporters) continue;
      for (const importer of importers) {
        next.set(importer, Math.max(next.get(importer) ?? 0, weight * kInherited));
      }
    }
    for (const [test, score] of best) scores.set(test, scores.get(test) + score);
    level = next;
  }
  return [...scores]
    .map(([test, score]) => ({ path: test, score }))
    .sort((a, b) => b.score - a.score);
}

const registration = /RegisterLayer<[^>]*>\s+\w+\{\s*"(\w+)"/g;
/** A file that more layers include is not about any one of them. */
const kMaxLayers = 8;

/** Returns the classes of layers that a file of src/ registers, or that files including it do. */
export function registeredNames(path) {
  project ??= readProject();
  project.importers ??= importersOf(project.units);
  let names = [unitOf(path)];
  for (let depth = 0; depth <= kDepth && names.length <= kMaxImporters; depth++) {
    const found = names.flatMap((name) =>
      [...(project.units.get(name)?.texts.join('\n') ?? '').matchAll(registration)].map(
        ([, layer]) => layer,
      ),
    );
    if (found.length > 0) return found.length <= kMaxLayers ? found : [];
    names = [...new Set(names.flatMap((name) => project.importers.get(name) ?? []))];
  }
  return [];
}
