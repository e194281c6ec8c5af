// SPDX-License-Identifier: MIT
// The maskflow command as a whole, and its commands info, run and verify.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { suite, test } from 'node:test';
import {
  fail,
  fixtures,
  maskflow,
  program,
  recording,
  scratch,
  succeed,
} from '../support/command.js';
import { decode } from '../support/recorded_cases.js';
import { internals } from '../support/internals.js';
import { tryNode } from '../support/programs.js';

const { readNpy, writeNpy } = await internals('formats/numpy/npy.ts');
const { readNpz, writeNpz } = await internals('formats/numpy/npz.ts');
const entry = String(new URL('../../dist/index.js', import.meta.url));
const { path, write } = scratch();
const lstm = fixtures('seq_embed_lstm.keras');

const commands = [
  'info',
  'run',
  'trace',
  'check',
  'draw',
  'profile',
  'verify',
  'convert',
  'quantize',
  'train',
  'port',
];

suite('maskflow', () => {
  test('help lists the commands', () => {
    const { out } = succeed(['help']);
    for (const command of commands) assert.match(out, new RegExp(`^  ${command} [MIF]`, 'm'));
    for (const option of ['--help', '-h']) assert.equal(succeed([option]).out, out);
    assert.equal(succeed(['help', 'help']).out, out);
    assert.ok(
      out.split('\n').every((line) => line.length <= 100),
      'fits a terminal',
    );
  });

  test('help COMMAND shows its arguments, all options and an example', () => {
    const options = { info: 'json', run: 'labels LABELS', verify: 'ignore-masked' };
    for (const command of commands) {
      const { out } = succeed(['help', command]);
      assert.match(out, new RegExp(`^maskflow ${command} [MIF].*\\[options\\]: `));
      assert.match(out, new RegExp(`--${options[command] ?? 'import FILE'} `));
      assert.match(out, new RegExp(`^Example: maskflow ${command} `, 'm'));
      for (const option of ['--help', '-h']) assert.equal(succeed([command, option]).out, out);
    }
    assert.match(succeed(['help', 'run']).out, /^maskflow run MODEL --input DATA \[options\]/);
    const docs = readFileSync(new URL('../../docs/command.md', import.meta.url), 'utf8');
    for (const command of commands) {
      assert.match(docs, new RegExp(`^## ${command}$`, 'm'));
      for (const [option] of succeed(['help', command]).out.matchAll(/--[a-z-]+/g)) {
        assert.ok(docs.includes(`${option}`), `docs/command.md has ${option} of ${command}`);
      }
    }
    fail(['help', 'frob'], 2, /unknown command 'frob'/);
    fail(['help', 'run', 'info'], 2, /help has more than one command/);
  });

  test('prints its version without starting the engine', () => {
    const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url)));
    for (const args of [['--version'], ['-v'], ['run', '-v']]) {
      assert.equal(succeed(args).out, `${version}\n`);
    }
    const without = write('without.mjs', 'globalThis.WebAssembly = undefined;');
    const run = (...args) => tryNode(['--import', without, program, ...args]).status;
    assert.equal(run('--version'), 0);
    assert.equal(run('help', 'run'), 0);
    assert.equal(run('info', lstm), 1, 'what needs the engine does not go without');
  });

  test('refuses unknown commands, options and arguments', () => {
    fail([], 2, /the command is missing; the commands are info, run, /);
    fail(['frob'], 2, /unknown command 'frob'; the commands are info, run, /);
    fail(['--frob'], 2, /unknown option '--frob'; the first argument must be a command/);
    fail(['info'], 2, /MODEL is missing; the usage is maskflow info MODEL\n/);
    fail(['verify', lstm], 2, /RECORDED is missing/);
    fail(['info', lstm, 'more'], 2, /'more' is one argument too many/);
    fail(
      ['info', lstm, '--batch-size', '3'],
      2,
      /info has no option --batch-size; its options are --json/,
    );
    fail(['info', lstm, '-x'], 2, /info has no option -x/);
    fail(['info', lstm, '--json=yes'], 2, /--json has no value/);
    fail(['run', lstm], 2, /--input is missing; the usage is maskflow run MODEL --input DATA/);
    fail(['run', lstm, '--input'], 2, /--input needs a value/);
    fail(['run', lstm, '-i'], 2, /--input needs a value/);
    fail(['run', '-', '--input', '-'], 2, /cannot both/);
    fail(['verify', '-', '-'], 2, /cannot both/);
  });

  test('suggests the nearest command, option and value', () => {
    const cases = [
      [['rnu'], /unknown command 'rnu' \(did you mean 'run'\?\); the commands are info/],
      [['quantise', lstm], /unknown command 'quantise' \(did you mean 'quantize'\?\)/],
      [['hlep'], /\(did you mean 'help'\?\)/],
      [['conv', lstm], /\(did you mean 'convert'\?\)/],
      [['xyz', lstm], /unknown command 'xyz'; /],
      [['--versoin'], /unknown option '--versoin' \(did you mean '--version'\?\)/],
      [['run', lstm, '--inptu', 'x'], /run has no option --inptu \(did you mean '--input'\?\)/],
      [
        ['run', lstm, '--batchsize', '3'],
        /no option --batchsize \(did you mean '--batch-size'\?\)/,
      ],
      [['run', lstm, '--on-eror', 'x'], /\(did you mean '--on-error'\?\)/],
      [
        ['run', lstm, '-i', 'x', '--on-error', 'skp'],
        /'skp' \(did you mean 'skip'\?\) but must be/,
      ],
      [['completion', 'bsh'], /unknown shell 'bsh' \(did you mean 'bash'\?\)/],
    ];
    for (const [args, message] of cases) fail(args, 2, message);
    fail(['xyzzy'], 2, /unknown command 'xyzzy'; the commands are/);
  });

  test('refuses a second value of an option, and says how to write a list', () => {
    const table = write('twice.csv', 'k,x,y\n7,1,2\n');
    const model = path('twice.keras');
    const code = `import * as mf from ${JSON.stringify(entry)}; await mf.ready();
      const dense = mf.layers.dense({ units: 1, kernelInitializer: 'ones' });
      await new mf.Sequential([mf.Input({ shape: [1] }), dense]).save(${JSON.stringify(model)});`;
    execFileSync(process.execPath, ['--input-type=module', '-e', code]);
    const args = ['run', model, '-i', table, '--header', '--format', 'jsonl', '--threads', '1'];
    const { err } = maskflow([...args, '--columns', 'x', '--id', 'k', '--id=y']);
    assert.equal(err, 'maskflow: --id has 2 values; write --id k,y\n');
    const remedy = /write (--id \S+)/.exec(err)[1].split(' ');
    const { out } = succeed([...args, '--columns', 'x', ...remedy]);
    assert.equal(out, '{"k":"7","y":"2","output":[1]}\n');
    fail([...args, '-i', lstm], 2, /^maskflow: --input has 2 values; write it once$/m);
    fail([...args, '-b', '1', '--batch', '2', '-b', '3'], 2, /--batch has 3 values/);
    // Switches have no value that could be lost.
    succeed([...args, '--header', '--columns', 'x', '-q', '-q']);
  });

  test('completes commands, options and files in bash', {
    skip: process.platform === 'win32',
  }, () => {
    write('complete.keras', '');
    const complete = (...words) => {
      const list = words.map((word) => `'${word}'`).join(' ');
      const code = `eval "$('${process.execPath}' '${program}' completion bash)"
        COMP_WORDS=(maskflow ${list}); COMP_CWORD=${words.length}; _maskflow
        printf '%s\\n' "\${COMPREPLY[@]}"`;
      return execFileSync('bash', ['-c', code], { encoding: 'utf8', cwd: path('') })
        .trim()
        .split('\n');
    };
    assert.deepEqual(complete('tr'), ['trace', 'train']);
    assert.deepEqual(complete('run', '--in'), ['--input', '--input-format']);
    assert.deepEqual(complete('help', 'comp'), ['completion']);
    assert.deepEqual(complete('run', 'comple'), ['complete.keras']);
    for (const shell of ['zsh', 'fish']) {
      const { out } = succeed(['completion', shell]);
      for (const word of commands) assert.ok(out.includes(word), `${shell}: ${word}`);
      assert.match(out, /on-error/);
    }
  });

  test('refuses impossible values of options', () => {
    const refuses = (more, message) => fail(['run', lstm, '--input', 'x', ...more], 2, message);
    refuses(['--batch-size', '1.5'], /--batch-size is '1\.5' but must be an integer, 0 or more/);
    refuses(['--batch-size', ''], /--batch-size is ''/);
    refuses(
      ['--output', 'y.txt'],
      /the format 'txt' is unknown.* json, jsonl, csv, npy, npz, arrow, or/,
    );
    refuses(['--format', 'xml'], /the format 'xml' is unknown/);
    refuses(['--padding', 'left'], /--padding is 'left' but must be pre or post/);
    refuses(['--truncating', 'x'], /--truncating is 'x' but must be pre or post/);
    refuses(['--maxlen', '0'], /--maxlen is '0' but must be an integer, 1 or more/);
    refuses(['--pad-value', 'x'], /--pad-value is 'x' but must be a number\n/);
  });

  test('names a file that cannot be read or written, in one line', () => {
    const absent = path('nothing.keras');
    for (const command of [['info'], ['run', '-i', lstm], ['profile'], ['quantize']]) {
      fail([...command, absent], 1, /nothing\.keras: no such file or folder/);
    }
    fail(['info', write('page.html', '<!doctype html><p>Not found')], 1, /page\.html/);
    fail(['run', lstm, '--input', path('nothing.csv')], 1, /nothing\.csv: no such file/);
    fail(['run', lstm, '--input', path('')], 1, /it is a folder/);
    const rows = write('one.csv', '1,2,3\n');
    const output = path('none/out.json');
    fail(
      ['run', lstm, '-i', rows, '-o', output],
      1,
      /none\/out\.json: the folder '.*none' does not exist\n/,
    );
    fail(['run', 'nothing.keras', '-i', rows, '-o', output], 1, /the folder .* does not exist/);
    fail(
      ['run', lstm, '-i', rows, '-o', path(''), '--format', 'json'],
      1,
      /is a folder, not a file/,
    );
    fail(['info', lstm, '--import', path('no.mjs')], 1, /no\.mjs: no such file/);
    fail(['info', lstm, '--import', write('bad.mjs', 'throw new Error("mine")')], 1, /mine/);
  });
});

suite('maskflow info', () => {
  test('shows version, size, layers and masks', () => {
    const { out } = succeed(['info', lstm]);
    assert.match(out, /seq_embed_lstm\.keras, \d+\.\d kB, Keras 3\.15\.1\n/);
    assert.match(out, /embedding \(Embedding\) .* ✓/);
    assert.match(out, /Params: 266 \(266 trainable\)/);
  });

  test('prints the same facts as JSON', () => {
    const about = JSON.parse(succeed(['info', lstm, '--json']).out);
    assert.equal(about.kerasVersion, '3.15.1');
    const parameters = about.layers.map(({ className, parameters }) => [className, parameters]);
    assert.deepEqual(
      parameters.filter(([, count]) => count > 0),
      [
        ['Embedding', 48],
        ['LSTM', 200],
        ['Dense', 18],
      ],
    );
  });

  test('lists the arrays of a weights file', () => {
    const { out } = succeed(['info', fixtures('conv1d_gru.weights.h5')]);
    assert.match(out, /weights only: 6 arrays/);
    assert.match(out, /layers\/conv1d\/vars\/0 {2}\(3, 4, 5\) {2}float32/);
  });

  test('prints a program for weights alone, which runs', async () => {
    const { out } = succeed(['info', fixtures('conv1d_gru.weights.h5')]);
    const [, program] = out.split(/\n(?=import )/);
    const mf = await import(entry);
    await mf.ready();
    const model = await mf.loadModel(fixtures('conv1d_gru.keras'));
    const architecture = write('architecture.json', JSON.stringify(mf.serializeLayer(model)));
    const code = program
      .replace("'maskflow'", `'${entry}'`)
      .replace("'architecture.json'", JSON.stringify(architecture))
      .replace('"conv1d_gru.weights.h5"', JSON.stringify(fixtures('conv1d_gru.weights.h5')));
    const module = `data:text/javascript,${encodeURIComponent(`${code}\nexport default model;`)}`;
    const { default: loaded } = await import(module);
    const values = (each) => each.getWeights().map((weight) => weight.array());
    assert.deepEqual(values(loaded), values(model));
  });

  test('reads a model from standard input', () => {
    const { out } = succeed(['info', '-'], { input: readFileSync(lstm) });
    assert.match(out, /standard input, .*Keras 3\.15\.1/);
  });

  test('shows the classes of a model that has unknown ones, and which are missing', async () => {
    const source = `
      import { Layer, layers, Input, Sequential, ready, registerLayer } from '${entry}';
      import { writeFileSync } from 'node:fs';
      class Strange extends Layer { call(x) { return x; } }
      registerLayer(Strange, { package: 'Own' });`;
    const make = `${source}
      await ready();
      const model = new Sequential([Input({ shape: [2] }), new Strange(), layers.dense({ units: 1 })]);
      writeFileSync(process.argv[2], await model.save());`;
    const file = path('strange.keras');
    const child = tryNode([write('make.mjs', make), file]);
    assert.equal(child.status, 0, child.stderr.toString());
    const result = maskflow(['info', file]);
    assert.equal(result.code, 1);
    assert.match(result.out, /Sequential of InputLayer, Strange, Dense/);
    assert.match(result.err, /^maskflow: .*Strange/);
    const summary = succeed(['info', file, '--import', write('register.mjs', source)]);
    assert.match(summary.out, /\(Strange\)/);
  });
});

suite('maskflow run', () => {
  const { inputs, outputs } = recording('seq_embed_lstm');
  const expected = decode(outputs[0]);
  const rows = () => {
    const { shape, values } = decode(inputs[0]);
    return Array.from({ length: shape[0] }, (_, i) =>
      Array.from(values.slice(i * shape[1], (i + 1) * shape[1])),
    );
  };
  const close = (values) => {
    const flat = [values].flat(Number.POSITIVE_INFINITY);
    assert.equal(flat.length, expected.values.length);
    for (const [i, value] of flat.entries()) {
      assert.ok(Math.abs(value - expected.values[i]) < 1e-6, `${i}`);
    }
  };
  const run = (input, ...more) => succeed(['run', lstm, '--input', input, ...more]);

  test('reads JSON: an array, arrays by name, a recorded case', () => {
    const forms = [rows(), { input_layer: rows() }, { inputs }, { ...inputs[0] }];
    for (const [i, form] of forms.entries()) {
      const { out, err } = run(write(`data${i}.json`, JSON.stringify(form)));
      close(JSON.parse(out));
      assert.equal(err, '', 'no progress bar outside a terminal');
    }
  });

  test('reads CSV, .npy, .npz and standard input', () => {
    const csv = rows().map((row) => row.join(','));
    const { shape, values } = decode(inputs[0]);
    const array = { shape, dtype: 'int32', data: values };
    const files = [
      write('a.csv', csv.join('\n')),
      write(
        'b.csv',
        `a;b;c;d;e;f\r\n${csv.map((row) => row.replaceAll(',', ';')).join('\r\n')}\r\n`,
      ),
      write('c.npy', writeNpy(shape, 'int32', values)),
      write('d.npz', writeNpz(new Map([['input_0', array]]))),
      write('e.npz', writeNpz(new Map([['anything', array]]))),
    ];
    for (const file of files) close(JSON.parse(run(file).out));
    const result = succeed(['run', lstm, '--input', '-'], { input: csv.join('\n') });
    close(JSON.parse(result.out));
  });

  test('gives the same results for any size of batches', () => {
    const file = write('rows.json', JSON.stringify(rows()));
    for (const size of ['0', '1', '2', '100'])
      close(JSON.parse(run(file, '--batch-size', size).out));
  });

  test('writes JSON, CSV, .npy and .npz', () => {
    const file = write('rows.json', JSON.stringify(rows()));
    const to = (name) => {
      run(file, '--output', path(name));
      return readFileSync(path(name));
    };
    close(JSON.parse(to('out.json')));
    const lines = to('out.csv').toString().trim().split('\n');
    close(lines.map((line) => line.split(',').map(Number)));
    const { shape, dtype, data } = readNpy(to('out.npy'));
    assert.deepEqual([shape, dtype], [expected.shape, 'float32']);
    close(Array.from(data));
    close(Array.from(readNpz(to('out.npz')).get('output_0').data));
    const result = succeed(['run', lstm, '-i', file, '--format', 'npy'], { binary: true });
    close(Array.from(readNpy(result.out).data));
  });

  test('runs models with several inputs and outputs', () => {
    const { inputs, outputs } = recording('multi_input');
    const file = write('several.json', JSON.stringify({ inputs }));
    const { out } = succeed(['run', fixtures('multi_input.keras'), '-i', file]);
    const flat = JSON.parse(out).flat(3);
    for (const [i, value] of decode(outputs[0]).values.entries()) {
      assert.ok(Math.abs(flat[i] - value) < 1e-6, `${i}`);
    }

    const recordedOutputs = recording('multi_output');
    const data = write('two.json', JSON.stringify({ inputs: recordedOutputs.inputs }));
    const model = fixtures('multi_output.keras');
    const results = JSON.parse(succeed(['run', model, '-i', data]).out);
    assert.equal(results.length, recordedOutputs.outputs.length);
    fail(['run', model, '-i', data, '-o', path('x.csv')], 2, /3 outputs, but csv can contain one/);
  });

  test('splits the rows of a table into sequences', () => {
    const { inputs, outputs } = recording('seq_masking_lstm_td');
    const { shape, values } = decode(inputs[0]);
    const size = shape[1] * shape[2];
    const lines = Array.from({ length: shape[0] }, (_, i) =>
      values.slice(i * size, (i + 1) * size).join(','),
    );
    const model = fixtures('seq_masking_lstm_td.keras');
    const { out } = succeed(['run', model, '-i', write('table.csv', lines.join('\n'))]);
    const flat = JSON.parse(out).flat(3);
    for (const [i, value] of decode(outputs[0]).values.entries()) {
      assert.ok(Math.abs(flat[i] - value) < 1e-6, `${i}`);
    }
    const short = write('short.csv', lines.map((line) => line.replace(/,[^,]*$/, '')).join('\n'));
    fail(['run', model, '-i', short], 1, /17 columns, but the model accepts 6 steps of 3 features/);
  });

  test('names what is wrong with the data', () => {
    const refuses = (name, text, message) =>
      fail(['run', lstm, '-i', write(name, text)], 1, message);
    refuses('bad.json', '[[1, 2', /bad\.json' is not valid JSON/);
    refuses('ragged.json', '[[1, 2], [3]]', /'ragged\.json': the rows differ.* --pad/);
    refuses('ragged.csv', '1,2\n3\n', /row 2 of 'ragged\.csv' has 1 column, but .* 2; use --pad/);
    refuses('empty.csv', '', /'empty\.csv' is empty/);
    refuses('head.csv', 'a,b\n', /has no rows of numbers/);
    refuses('half.json', '[[1.5, 2, 3, 4, 5, 6]]', /1\.5, not an int32/);
    refuses('bytes.csv', Buffer.from([49, 0, 50, 0]), /'bytes\.csv' is neither UTF-8 text nor/);
    refuses('none.json', '[]', /the data has no rows/);
    refuses('object.json', '{}', /'object\.json' has no inputs/);
    refuses('records.npy', Buffer.from('\x93NUMPYxx'), /records\.npy/);
  });
});

suite('maskflow verify', () => {
  const recordedCase = fixtures('seq_embed_lstm.io.json');

  test('exits with 0 if the results are those of Keras', () => {
    assert.match(
      succeed(['verify', lstm, recordedCase]).out,
      /output 0: 9 elements agree.*\nagrees\n/,
    );
    const result = succeed(['verify', lstm, '-'], { input: readFileSync(recordedCase) });
    assert.match(result.out, /agrees\n$/);
  });

  test('exits with 1 and prints nothing to standard error if results differ', () => {
    const { inputs, outputs } = recording('seq_embed_lstm');
    const { shape, values } = decode(outputs[0]);
    values[4] += 0.01;
    const file = write(
      'wrong.json',
      JSON.stringify({ inputs, outputs: [{ shape, data: Array.from(values) }] }),
    );
    const result = maskflow(['verify', lstm, file]);
    assert.equal(result.code, 1);
    assert.match(result.out, /1 of 9 elements differ .* at \[1, 1\].*\nDIFFERS\n/);
    assert.match(succeed(['verify', lstm, file, '--absolute', '0.02']).out, /agrees/);
    const negative = /--absolute is '-1' but must be a number, 0 or more/;
    fail(['verify', lstm, file, '--absolute=-1'], 2, negative);
    fail(
      ['verify', lstm, file, '--absolute', '-1'],
      2,
      /--absolute needs a value; .* --absolute=VALUE/,
    );
    fail(['verify', lstm, write('no.txt', 'a\nb\n')], 1, /the recording is not valid JSON/);
  });
});
