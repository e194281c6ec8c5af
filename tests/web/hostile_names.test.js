// SPDX-License-Identifier: MIT
// Strings in files that control terminals, reverse text or break lines, in every place of a file:
// the package and the command show them with escapes.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { unzipSync, zipSync } from 'fflate';
import * as mf from '../../dist/train.js';
import { editedFile, fixture } from '../support/archives.js';
import { maskflow, scratch } from '../support/command.js';

before(() => mf.ready({ onMaskDropped: 'silent' }));

const kinds = {
  escapes: '\x1b[31mred\x1b]0;title\x07',
  'a forged line': 'a\r\nFORGED\ta',
  'C1 and DEL': '\x9b2J\x7f\x85',
  'marks of direction': '\u202egnp.\u2066\u200f\u061c',
  'line separators': 'a\u2028FORGED\u2029b',
};
const hidden = /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cs}]/u;

function clean(text, title) {
  assert.equal(hidden.exec(text)?.[0], undefined, `${title}: ${JSON.stringify(text)}`);
  assert.ok(!/^FORGED/m.test(text), `${title}: ${JSON.stringify(text)}`);
}

/** Runs `action`; returns everything that it prints, and the message of its error. */
async function outputOf(action) {
  const lines = [];
  const consoles = { log: console.log, warn: console.warn, error: console.error };
  for (const name of Object.keys(consoles))
    console[name] = (...parts) => lines.push(parts.join(' '));
  try {
    await action((text) => lines.push(text));
  } catch (error) {
    assert.ok(error instanceof mf.MaskflowError, `${error.stack}`);
    lines.push(error.message);
  } finally {
    Object.assign(console, consoles);
  }
  return lines.join('\n');
}

/**
 * Every string and every key of a value: a function that puts a text there, and the place's name.
 */
function places(value, path = []) {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const itemPath = [...path, key];
    const set = (text) => (root) => {
      path.reduce((inner, step) => inner[step], root)[key] = text;
    };
    const rename = (text) => (root) => {
      const inner = path.reduce((outer, step) => outer[step], root);
      inner[text] = inner[key];
      delete inner[key];
    };
    const valuePlaces = typeof item === 'string' ? [{ where: itemPath.join('.'), edit: set }] : [];
    const keyPlaces = Array.isArray(value)
      ? []
      : [{ where: `key ${itemPath.join('.')}`, edit: rename }];
    return [...valuePlaces, ...keyPlaces, ...places(item, itemPath)];
  });
}

const decode = (bytes) => JSON.parse(new TextDecoder().decode(bytes));
const encode = (value) => new TextEncoder().encode(JSON.stringify(value));

/** Replaces a name everywhere in the bytes by a text, padded or cut to the same length. */
function replaceName(bytes, name, text) {
  const [from, to] = [Buffer.from(name), Buffer.from(text)];
  const padded = Buffer.alloc(from.length, 'x');
  to.copy(padded, 0, 0, Math.min(to.length, from.length));
  const result = Buffer.from(bytes);
  for (let at = result.indexOf(from); at >= 0; at = result.indexOf(from, at + 1)) {
    padded.copy(result, at);
  }
  return new Uint8Array(result);
}

const x = [[1, 2, 3, 0, 0, 0]];
async function useAll(bytes, tell) {
  const model = await mf.loadModel(bytes);
  try {
    model.summary({ print: tell });
    for (const { reason, remedy } of model.traceMasks(x)) tell(`${reason}\n${remedy}`);
    tell(String(await model.profile(x, { repeats: 1 })));
    for (const layer of model.layers) {
      await outputOf(() => layer.apply('no numbers')).then(tell);
      await outputOf(() => layer.apply([[[[[[1]]]]]])).then(tell);
    }
    await outputOf(() => model.predict([['no numbers']])).then(tell);
    await outputOf(() => model.setWeights([])).then(tell);
    await outputOf(() => model.getLayer('lost')).then(tell);
    await outputOf(() => model.stream().step([1, 2, 3])).then(tell);
  } finally {
    model.dispose();
  }
}

describe('a string from a file is shown with escapes', () => {
  const files = unzipSync(fixture('seq_embed_lstm.keras'));
  for (const file of ['config.json', 'metadata.json']) {
    const original = decode(files[file]);
    for (const [kind, text] of Object.entries(kinds)) {
      test(`${kind} at each place of ${file}`, async () => {
        for (const { where, edit } of places(original)) {
          const hostile = structuredClone(original);
          edit(text)(hostile);
          const bytes = zipSync({ ...files, [file]: encode(hostile) }, { level: 0 });
          clean(await outputOf((tell) => useAll(bytes, tell)), where);
        }
      });
    }
  }

  test('in names of arrays, attributes and entries of archives', async () => {
    for (const text of Object.values(kinds)) {
      for (const name of ['lstm_cell', 'embedding', 'dense', 'vars', 'layers']) {
        const h5 = replaceName(files['model.weights.h5'], name, text);
        const bytes = zipSync({ ...files, 'model.weights.h5': h5 }, { level: 0 });
        clean(await outputOf((tell) => useAll(bytes, tell)), name);
        const model = await mf.loadModel(fixture('seq_embed_lstm.keras'));
        clean(await outputOf(() => model.loadWeights(h5)), `weights, ${name}`);
        model.dispose();
      }
      const legacy = fixture('bn_masked.h5');
      for (const name of ['layer_names', 'weight_names', 'model_config', 'kernel', 'gamma']) {
        const bytes = replaceName(legacy, name, text);
        clean(await outputOf((tell) => useAll(bytes, tell)), `legacy ${name}`);
      }
      clean(await outputOf(() => mf.loadModel(zipSync({ [text]: encode(1) }))), 'an entry');
    }
  });

  test('in compile configs, in training and its callbacks', async () => {
    const model = new mf.Sequential([mf.Input({ shape: [2] }), mf.layers.dense({ units: 1 })]);
    model.compile({ optimizer: 'adam', loss: 'mse', metrics: ['mae'] });
    const entries = unzipSync(await model.save());
    const config = decode(entries['config.json']);
    for (const text of Object.values(kinds)) {
      for (const { where, edit } of places(config.compile_config)) {
        const hostile = structuredClone(config);
        edit(text)(hostile.compile_config);
        const bytes = zipSync({ ...entries, 'config.json': encode(hostile) }, { level: 0 });
        const output = await outputOf(async (tell) => {
          const loaded = await mf.loadModel(bytes);
          const lines = mf.callbacks.csvLogger((line) => tell(line.replaceAll('\r\n', '\n')));
          const best = mf.callbacks.earlyStopping({ monitor: text });
          await loaded.fit([[1, 2]], [[1]], { epochs: 1, callbacks: [lines, best] });
        });
        clean(output, where);
      }
    }
  });
});

describe('the command shows escapes', () => {
  const { path } = scratch();
  const rows = path('rows.csv');
  writeFileSync(rows, '1,2,3,0,0,0\n');
  const nasty = `${kinds.escapes}${kinds['a forged line']}${kinds['C1 and DEL']}${kinds['marks of direction']}`;

  for (const command of [
    ['info'],
    ['info', '--json'],
    ['trace', rows],
    ['trace', rows, '--json'],
    ['run', '-i', rows],
    ['run', '-i', rows, '--labels', `a${nasty.replace(/[\r\n]/g, '')},b,c`],
    ['quantize', path('out.keras'), '--force'],
    ['quantize', path('out.keras'), '--force', '--json'],
    ['profile', '-i', rows],
    ['profile', '-i', rows, '--json'],
    ['verify', rows],
    ['convert', path('out.json'), '--force'],
  ]) {
    test(
      command
        .filter((word) => !word.includes('\x1b'))
        .join(' ')
        .replaceAll(path(''), ''),
      () => {
        const names = editedFile('seq_embed_lstm', (config) => {
          config.config.name = nasty;
          for (const layer of config.config.layers)
            layer.config.name = `${nasty}${layer.config.name}`;
        });
        const unknown = editedFile('seq_embed_lstm', (config) => {
          config.config.layers[1].class_name = nasty;
        });
        for (const bytes of [names, unknown]) {
          const model = path('model.keras');
          writeFileSync(model, bytes);
          const [name, ...options] = command;
          const { out, err } = maskflow([name, model, ...options]);
          clean(out + err, command.join(' '));
          if (options.includes('--json') && out !== '') JSON.parse(out);
        }
      },
    );
  }

  test('labels and names never become formulas of a spreadsheet', () => {
    const labels = "=cmd|' /C calc'!A0,@SUM(1+1),+1";
    const model = path('plain.keras');
    writeFileSync(model, fixture('seq_embed_lstm.keras'));
    const { out, err } = maskflow([
      'run',
      model,
      '-i',
      rows,
      '--labels',
      labels,
      '--format',
      'csv',
    ]);
    assert.ok(!/(^|,)[=@]/m.test(out) && !/,"[=@]/.test(out), out + err);
  });
});
