// SPDX-License-Identifier: MIT
// The report of `maskflow quantize` as text.
import type { OutputError, Quantization } from '../src/index.js';
import { table } from '../src/base/table.js';
import { sizeText } from './files.js';

const short = (number: number): string => String(Number(number.toPrecision(3)));

function outputText({ output, maxError, rmsError, rms, sameArgmax }: OutputError): string {
  const same =
    sameArgmax === null
      ? ''
      : `; the largest element stays in ${(100 * sameArgmax).toFixed(1)} % of rows`;
  return `output ${output}: largest error ${short(maxError)}, root mean square of it ${short(rmsError)}, of the output ${short(rms)}${same}`;
}

/** Returns the report of `model.quantize` as text. */
export function quantizationText({ weights, floats, bytesBefore, bytes, outputs }: Quantization) {
  const rows = weights.map((weight) => [
    weight.path,
    `(${weight.shape.join(', ')})`,
    sizeText(weight.bytesBefore),
    sizeText(weight.bytes),
    short(weight.maxError),
  ]);
  const stay = `${floats.length} other array${floats.length === 1 ? ' stays' : 's stay'} float32.`;
  return [
    ...table(['Weight', 'Shape', 'float32', 'int8', 'Largest error'], rows),
    `${stay} In memory: ${sizeText(bytes)} instead of ${sizeText(bytesBefore)}.`,
    ...outputs.map(outputText),
  ].join('\n');
}
