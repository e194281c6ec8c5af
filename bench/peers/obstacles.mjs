// SPDX-License-Identifier: MIT
// What stands between a workload and its goal: found with a profiler and programs of single kernels, Node 24 on the
// machine of the page. Only those that a run misses are shown.

/** Of the machine, which every figure has a part of. */
export const phases = `The machine is a share of a larger one: with nothing else running, the same loop takes 0.59 ms in some phases and 1.0 ms in others, of 15
to 500 ms each. Short samples fall into either, long ones average; the least of many is what the code can do.`;

export const obstacles = {
  W1: `At best 0.40 ms: 0.11 ms projecting the inputs (58 GFLOP/s), 0.24 ms in the hundred products of one row with the recurrent weights (55 GFLOP/s; the
  machine streams such weights at 60), 0.05 ms in the gates. With every load at the limit it would be 0.37 ms. Tried before: strips of 2, 3, 5 or 6 panels (22 to 47 GFLOP/s), panels side by
  side, loading the next strip's first lines ahead, projecting 64 steps at a time (5 %).`,
  W2: `The products of its steps, 32 rows and less, run at 57 GFLOP/s each; gates take a tenth, gathering and spreading kept rows a twentieth. Native onnxruntime multiplies
  with vectors of 512 bits, four times as wide as those of WebAssembly.`,
  W4: `As W2.`,
  W6: `A call of one step: 14.2 µs in products (46 GFLOP/s; the weights are larger than the second-level cache, and the machine streams them at 51 to 53), 0.8 µs in gates, 0.95 µs
  for all the rest, crossing included. At the machine's limit it would be 2.4 times by the least times. Tried: going over the weights forth and back, so that each step begins with what the last one left in
  the cache (5 % of the products alone, nothing of a step); inner loops without exits (39 GFLOP/s). Narrower weights, widened in registers: a loop over bfloat16 runs at 55 GFLOP/s here and at
  53 over 17 MB of floats, where floats reach 42; over float16, which WebAssembly does not know, at 20. 8-bit weights with 8-bit activations take a third of the time.`,
  W8w: `Nearly all of it is products, at 84 % of the peak and what the tiles of other workloads reach, too; at all of the peak it would be 2.9 times.`,
  W8s: `Of 20 µs 8 are products of one row (48 GFLOP/s), 3 attention over the kept keys, 1 the crossing; the rest, 8, is what eight layers take to be called: about one microsecond each for
  arguments, masks and tensors, spread over fifty functions.`,
  W7: `At least 80 % of the peak is the goal. 97 % of the time goes into products; that of a step alone, 32 × 512 by 512 × 2048, reaches 45 to 48
  GFLOP/s (87 to 93 %) in quiet moments. A run of W7 takes seconds and so is never quiet from end to end.`,
  W7q: `The processor has no dot product of bytes (VNNI). Three instructions take its place, two of which have only two of the four vector pipes: 85 GOP/s, against
  47 GFLOP/s of floats for the same product, and gates and sums stay floats.`,
  S10f: `At best 1.7 ms; by the rates of the kernels alone, 0.45 ms projecting the kept steps, 0.33 ms in 93 products of the one row that is left, 0.57 ms in those of several rows, 0.15 ms in the gates, 0.15 ms
  copying the batch in and finding its mask. That is 36 GFLOP/s, where a batch without padding gets 38.`,
};
