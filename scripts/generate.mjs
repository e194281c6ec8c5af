// SPDX-License-Identifier: MIT
// Generates TypeScript from the schema of the core, which bindings/schema.cpp prints.
//
//   node scripts/generate.mjs SCHEMA.json [FOLDER]
//
// FOLDER: web/src by default.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { configuredFile } from './generate/configured.mjs';
import { floatSettingsFile, takeFloats } from './generate/floats.mjs';
import { classTableFile, factoriesFile, layersFile, namesWithFile } from './generate/layers.mjs';
import { measureSettingsFile, measuresFile, namesFile } from './generate/measures.mjs';
import { methodsFile, moreOpsFile, opNamesFile, opsFile } from './generate/ops.mjs';
import { portFile } from './generate/port.mjs';
import { publicLayers } from './generate/words.mjs';

const [, , schemaPath, folder = fileURLToPath(new URL('../web/src/', import.meta.url))] =
  process.argv;
const write = (name, text) => writeFileSync(join(folder, name), text);

const schema = JSON.parse(readFileSync(schemaPath, 'utf8'));
const floats = takeFloats(schema);
write('formats/write/float_settings.gen.ts', floatSettingsFile(floats));

// Writes classes and factories of each module to separate files, because bundlers put whole files
// into chunks.
const layers = publicLayers(schema);
for (const [module, inModule] of [
  ['recurrent', (layer) => layer.in_recurrent_module],
  ['more', (layer) => !layer.in_recurrent_module && !layer.only_in_training_module],
  ['training', (layer) => layer.only_in_training_module],
]) {
  const members = layers.filter(inModule);
  const classes = `${module}_layers.gen`;
  write(`layers/${classes}.ts`, layersFile(members));
  write(`layers/${module}_factories.gen.ts`, factoriesFile(members, `${classes}.js`));
  const table = classTableFile(`${module}Classes`, members, `${classes}.js`);
  write(`layers/${module}_classes.gen.ts`, table);
}

write('formats/write/built_at_init.gen.ts', namesWithFile(schema, 'built_at_init'));
write(
  'formats/build/only_in_training_module.gen.ts',
  namesWithFile(schema, 'only_in_training_module'),
);
write('formats/tfjs_writer/in_tfjs.gen.ts', namesWithFile(schema, 'in_tfjs'));

write('measures/measures.gen.ts', measuresFile(schema));
write('measures/names.gen.ts', namesFile(schema));
write('formats/training/measures.gen.ts', measureSettingsFile(schema));
// Pages fetch only the functions of their entry.
const opsOf = (entry) => schema.ops.filter((op) => op.entry === entry);
const commonOps = opsOf('maskflow/recurrent');
write('ops/ops.gen.ts', opsFile(commonOps));
write('ops/more_ops.gen.ts', moreOpsFile(opsOf('maskflow')));
write('ops/training_ops.gen.ts', moreOpsFile(opsOf('maskflow/train')));
write('formats/dialects/op_names.gen.ts', opNamesFile(schema.ops));
write('tensor/methods.gen.ts', methodsFile(commonOps));
write('training/optimizers.gen.ts', configuredFile(schema));
write('port/names.gen.ts', portFile(schema));
