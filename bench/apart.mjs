// SPDX-License-Identifier: MIT
// Runs one measurement in a process of its own (scripts/lib/measured.mjs starts it):
//   apart.mjs NAME OUT.json ARGUMENTS   calls measure(ARGUMENTS, from JSON) of NAME.mjs
import { writeFileSync } from 'node:fs';

const [name, out, args] = process.argv.slice(2);
const { measure } = await import(`./${name}.mjs`);
writeFileSync(out, JSON.stringify(await measure(JSON.parse(args)), null, 1));
process.exit();
