// SPDX-License-Identifier: MIT
// Shortens the API report of an entry to what differs from the report of another entry: most
// entries export the same declarations, and a change of one of them is to review once.

const fence = '```';

/** Splits a report into its declarations, each with the comments above it. */
function declarationsOf(report) {
  const code = report.slice(report.indexOf(`${fence}ts`) + 5, report.lastIndexOf(fence));
  const parts = code.split(/\n\n(?=\/\/ |import |export )/);
  return parts.map((part) => part.trim()).filter((part) => part && !part.startsWith('// (No'));
}

/** Returns the first line that declares something: two overloads differ in it. */
const headOf = (declaration) =>
  declaration.split('\n').find((line) => !line.startsWith('//')) ?? declaration;

/** Returns the report of the entry `name` without what it has in common with the entry `base`. */
export function differenceOf(name, report, base, baseReport) {
  const [own, common] = [declarationsOf(report), declarationsOf(baseReport)];
  const [owned, shared] = [new Set(own), new Set(common)];
  const heads = new Set(own.map(headOf));
  const others = own.filter((each) => !shared.has(each));
  const missing = common.filter((each) => !owned.has(each)).map(headOf);
  const absent = missing.filter((head) => !heads.has(head));
  return [
    `# The API of '${name}', compared with '${base}'`,
    `> Written by \`node scripts/check-api.mjs --write\`, from reports of API Extractor.`,
    `## Declared otherwise, or only here\n\n${fence}ts\n${others.join('\n\n')}\n${fence}`,
    `## Not here\n\n${fence}ts\n${absent.join('\n')}\n${fence}\n`,
  ].join('\n\n');
}
