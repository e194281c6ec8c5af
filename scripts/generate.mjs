// SPDX-License-Identifier: MIT
// Generates TypeScript from the schema of the core, which bindings/schema.cpp prints.
//
//   node scripts/generate.mjs SCHEMA.json RECURRENT.json [FOLDER]
//
// RECURRENT.json names the layers and ops of the module of recurrent layers. FOLDER: web/src by default.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configuredFile } from './generate/configured.mjs';
import { floatSettingsFile, takeFloats } from './generate/floats.mjs';
import { factoriesFile, layersFile, classTableFile } from './generate/layers.mjs';
import { measureSettingsFile, measuresFile, namesFile } from './generate/measures.mjs';
import { methodsFile, opsFile } from './generate/ops.mjs';
import { publicLayers } from './generate/words.mjs';

const [
  ,
  ,
  schemaPath,
  recurrentPath,
  folder = fileURLToPath(new URL('../web/src/', import.meta.url)),
] = process.argv;
const readJson = (path) => JSON.parse(readFileSync(path, 'utf8'));
const write = (name, text) => writeFileSync(join(folder, name), text);

const schema = readJson(schemaPath);
const floats = takeFloats(schema);
write('formats/write/float_settings.gen.ts', floatSettingsFile(floats));

// Each module has files of its own for classes and factories, because bundlers put whole files into
// chunks.
const recurrent = new Set(readJson(recurrentPath).layers);
const layers = publicLayers(schema);
for (const [module, inModule] of [
  ['recurrent', ({ class_name: name }) => recurrent.has(name)],
  ['more', ({ class_name: name }) => !recurrent.has(name)],
]) {
  const members = layers.filter(inModule);
  const classes = `${module}_layers.gen`;
  write(`layers/${classes}.ts`, layersFile(members));
  write(`layers/${module}_factories.gen.ts`, factoriesFile(members, `${classes}.js`));
  const table = classTableFile(`${module}Classes`, members, `${classes}.js`);
  write(`layers/${module}_classes.gen.ts`, table);
}

write('measures/measures.gen.ts', measuresFile(schema));
write('measures/names.gen.ts', namesFile(schema));
write('formats/training/measures.gen.ts', measureSettingsFile(schema));
write('ops/ops.gen.ts', opsFile(schema.ops));
write('tensor/methods.gen.ts', methodsFile(schema.ops));
write('training/optimizers.gen.ts', configuredFile(schema));
