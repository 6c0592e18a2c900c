// @ts-check
/**
 * Measures the CPU time of a stage relative to a fixed reference workload, and the bytes that it allocates.
 * It uses no wall-clock time, only the CPU time of this process and the heap growth between two collections.
 */

/** @typedef {import('./stages.mjs').Stage} Stage */
/** @typedef {{ name: string, cpuRatio: number, bytes: number }} StageFigures */

const ROUNDS = 15;
const ITERATION_CPU_US = 8_000;
/**
 * The number of warm-up iterations, enough for background compilation to finish on slow machines. With a
 * quarter of them, the first stage took five times as long on such a machine.
 */
const WARM_ITERATIONS = 40_000;
const REFERENCE = JSON.stringify({
  id: 1,
  title: 'a title',
  content: 'some text that is as long as texts are',
  tags: [1, 2, 3],
  nested: { published: true, at: '2026-01-31T12:00:00Z' },
});
let retainedCount = 0;

/**
 * The reference workload. It does the same kind of work as the stages: allocations, string operations and
 * lookups.
 */
function reference() {
  retainedCount += JSON.stringify(JSON.parse(REFERENCE)).length;
}

/** @param {Stage} stage @returns {StageFigures} */
export function measureStage(stage) {
  const run = (/** @type {number} */ iteration) =>
    void (retainedCount += stage.run(iteration) === null ? 1 : 0);
  for (let iteration = 0; iteration < WARM_ITERATIONS; iteration += 1) {
    run(iteration);
    reference();
  }
  const iterations = calibrate(run);
  const referenceIterations = calibrate(reference);
  const ratios = Array.from(
    { length: ROUNDS },
    () =>
      timeCpu(run, iterations) / iterations / (timeCpu(reference, referenceIterations) / referenceIterations),
  ).sort((a, b) => a - b);
  // Other processes can only slow a round down, so the lower quartile is used.
  return {
    name: stage.name,
    cpuRatio: ratios[Math.floor(ROUNDS / 4)] ?? Number.NaN,
    bytes: measureBytes(run),
  };
}

/**
 * Returns enough iterations for a precise CPU time.
 * @param {(iteration: number) => void} run
 */
function calibrate(run) {
  let iterations = 64;
  while (timeCpu(run, iterations) < ITERATION_CPU_US) iterations *= 2;
  return iterations;
}

/** @param {(iteration: number) => void} run @param {number} iterations @returns {number} microseconds */
function timeCpu(run, iterations) {
  const before = process.cpuUsage();
  for (let iteration = 0; iteration < iterations; iteration += 1) run(iteration);
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/**
 * Returns the median of several measurements.
 * No collection occurs during one, since the young generation has 64 MiB.
 * @param {(iteration: number) => void} run
 */
function measureBytes(run) {
  const collect = /** @type {{ gc?: () => void }} */ (globalThis).gc;
  if (collect === undefined)
    throw new Error('Run with --expose-gc --min-semi-space-size=64 --max-semi-space-size=64');
  const samples = Array.from({ length: 9 }, () => {
    collect();
    const before = process.memoryUsage().heapUsed;
    for (let iteration = 0; iteration < 500; iteration += 1) run(iteration);
    return (process.memoryUsage().heapUsed - before) / 500;
  }).sort((a, b) => a - b);
  return Math.round(samples[4] ?? Number.NaN);
}
