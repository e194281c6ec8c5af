// SPDX-License-Identifier: MIT
// Repeats recorded calls of sklearn's scalers and label encoders, read from their files.
import assert from 'node:assert/strict';

const types = { float64: Float64Array, float32: Float32Array, int32: Int32Array };

/** The numbers of a recorded array. */
function numbersOf({ dtype, data }) {
  const bytes = Uint8Array.from(Buffer.from(data, 'base64'));
  return new types[dtype](bytes.buffer);
}

const rowsOf = (numbers, [rows, columns]) =>
  Array.from({ length: rows }, (_, i) => [...numbers.subarray(i * columns, (i + 1) * columns)]);

/** Compares one call with rows, or with a tensor for arrays that are not float64. */
function checkCall({ tensor }, scaler, { name, x, y }, id) {
  const method = name === 'transform' ? 'transform' : 'inverseTransform';
  const numbers = numbersOf(x);
  const expected = numbersOf(y);
  const rows = scaler[method](rowsOf(numbers, x.shape)).flat();
  if (x.dtype !== 'float32')
    assert.deepEqual(rows, [...expected], `${id} ${name}, ${x.dtype} rows`);
  if (x.dtype === 'float64') return;
  const made = tensor(numbers, { shape: x.shape, dtype: x.dtype });
  const result = scaler[method](made);
  assert.deepEqual(
    [...result.data()],
    [...Float32Array.from(expected)],
    `${id} ${name}, ${x.dtype} tensor`,
  );
  assert.deepEqual(result.shape, y.shape);
  made.dispose();
  result.dispose();
}

/** Returns null if a file of sklearn does here what it did in Python, else the difference. */
export async function scalerDifference(mf, recorded) {
  const { id, class: className, file, calls = [], classes, labels, ids } = recorded;
  try {
    const read = await mf.readPickle(Buffer.from(file, 'base64'));
    assert.equal(read.className, className, `${id} class`);
    for (const call of calls) checkCall(mf, read, call, id);
    if (classes) {
      assert.deepEqual(read.classes, classes, `${id} classes`);
      assert.deepEqual(read.transform(labels), ids, `${id} transform`);
      assert.deepEqual(read.inverseTransform(ids), labels, `${id} inverseTransform`);
    }
    return null;
  } catch (error) {
    return error.message.slice(0, 1500);
  }
}
