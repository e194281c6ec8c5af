// SPDX-License-Identifier: MIT
// Obstacles between a workload and its goal, found with a profiler and programs of single kernels,
// with Node 24 on the machine of the page. Only those of workloads that miss a goal are shown.

/** Phases of the machine that affect every figure. */
export const phases = `The machine is a share of a larger one. With nothing else running, the same loop takes 0.59 ms in
some phases and 1.0 ms in others. Each phase lasts 15 to 500 ms. A short sample falls into one
phase; a long sample averages over several. The least of many samples shows what the code can do.`;

export const obstacles = {
  W1: `The best time is 0.40 ms: 0.11 ms to project the inputs (58 GFLOP/s), 0.24 ms for the hundred
products of one row with the recurrent weights (55 GFLOP/s; the machine streams such weights at
60), and 0.05 ms in the gates. With every load at the limit it would be 0.37 ms. Already tried:
strips of 2, 3, 5 or 6 panels (22 to 47 GFLOP/s), panels side by side, loading the first lines of
the next strip ahead, and projecting 64 steps at a time (a gain of 5 %).`,
  W2: `The products of its steps, with 32 rows and fewer, run at 57 GFLOP/s each. The gates take a tenth
of the time; gathering and spreading the kept rows takes a twentieth. Native onnxruntime
multiplies vectors of 512 bits, four times as wide as those of WebAssembly.`,
  W4: `The obstacles are those of W2.`,
  W6: `A call of one step takes 14.2 µs in products and 0.8 µs in gates. Everything else takes 0.95 µs,
including the crossing from JavaScript to the core. The products run at 46 GFLOP/s. Their weights
are larger than the second-level cache, and the machine streams them at 51 to 53. At the limit of
the machine, W6 would be 2.4 times as fast as onnxruntime-web by the least times.

Already tried: going over the weights alternately forwards and backwards, so that each step begins
with the weights that the last step left in the cache. The products alone gained 5 %, a step
nothing. Inner loops without exits reached 39 GFLOP/s.

Narrower weights, widened in registers, were tried too. A loop over bfloat16 runs at 55 GFLOP/s
here. With weights that take 17 MB as floats it runs at 53, where floats reach 42. A loop over
float16, which WebAssembly does not have, runs at 20. 8-bit weights with 8-bit activations take a
third of the time.`,
  W8w: `Nearly all of the time goes into products. They run at 84 % of the peak, which the tiles of other
workloads reach, too. At all of the peak it would be 2.9 times as fast as onnxruntime-web.`,
  W8s: `Products of one row take 8 µs (48 GFLOP/s), attention over the kept keys 3, and the
crossing from JavaScript to the core 1. The rest is spread over fifty functions. Layers that treat
each row alone no longer pass through the call protocol, which took a fifth of a step; attention
still does, and creates a tensor for each of its projections.`,
  W7: `The goal is at least 80 % of the peak. 97 % of the time goes into products. The product of a step
alone, 32 × 512 by 512 × 2048, reaches 45 to 48 GFLOP/s (87 to 93 %) in quiet moments. A run of W7
takes seconds, so it is never quiet from end to end.`,
  W7q: `The processor has no dot product of bytes (VNNI). Three instructions take its place, and two of
them can use only two of the four vector pipes. They reach 85 GOP/s, and floats 47 GFLOP/s for the
same product. Gates and sums stay floats.`,
  S10f: `The best time is 1.7 ms. By the rates of the kernels alone, projecting the kept steps takes 0.45
ms. 93 products of the one row that is left take 0.33 ms, and the products of several rows 0.57
ms. The gates take 0.15 ms; copying the batch in and finding its mask takes 0.15 ms. That is 36
GFLOP/s, where a batch without padding reaches 38.`,
};
