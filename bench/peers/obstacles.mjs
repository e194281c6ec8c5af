// SPDX-License-Identifier: MIT
// What stands between a workload and its goal: found with a profiler and programs of single kernels, Node 24 on the
// machine of the page. Only those that a run misses are shown.

const phases = `The machine is a share of a larger one: with nothing else running, the same loop takes 0.59 ms in some phases and 1.0 ms
  in others, of 15 to 500 ms each. Short samples fall into either, long ones average.`;

export const obstacles = {
  W1: `At best 0.57 ms: 0.14 ms projecting the inputs (47 GFLOP/s), 0.34 ms in the hundred products of one row with the recurrent
  weights (38 GFLOP/s), 0.06 ms in the gates. Those weights, 256 kB, come from the second-level cache at each step, and each multiply-add loads
  its own: two loads a cycle set a limit of 0.26 ms. Tried: strips of 2, 3, 5 or 6 panels in place of 4 (22 to 31 GFLOP/s), loading the
  next strip's first lines ahead (25 to 36). Projecting 64 steps at a time, so that weights and projections fit the cache together, gave
  5 %. ${phases}`,
  W3: phases,
  W7: `At least 80 % of the peak is the goal. 97 % of the time goes into products; that of a step alone, 32 × 512 by 512 × 2048, reaches 45 to 48
  GFLOP/s (87 to 93 %) in quiet moments. A run of W7 takes seconds and so is never quiet from end to end. ${phases}`,
  W7q: `The processor has no dot product of bytes (VNNI): the relaxed instruction becomes three, 60 GOP/s in all against 42 GFLOP/s of floats
  for the same product, and gates and sums stay floats. Where there is one, the product alone is four times as fast as that of floats.`,
  S10f: phases,
};
