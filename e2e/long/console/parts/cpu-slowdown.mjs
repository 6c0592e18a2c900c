// @ts-check
/**
 * The slowdown of Lighthouse's calculator for a mid-range phone, by the benchmarkIndex of the machine,
 * interpolated between two points. See its docs/throttling.md, "Calibrating the CPU slowdown". The default of
 * 4 is meant for machines with an index of 1,533.
 */
const POINTS = /** @type {const} */ ([
  [150, 1],
  [800, 2],
  [1_300, 3],
  [1_533, 4],
  [2_000, 6],
]);

/**
 * Returns how many times slower than a machine of this index the mid-range phone is. It is 1 below the lowest
 * index, and proportional above the highest.
 * @param {number} benchmarkIndex the index that Lighthouse measures before each load
 */
export function calibrateSlowdown(benchmarkIndex) {
  if (!(benchmarkIndex > 0)) throw new Error(`No benchmarkIndex: ${benchmarkIndex}`);
  const position = POINTS.findIndex(([index]) => benchmarkIndex < index);
  const upper = position < 0 ? POINTS.length - 1 : Math.max(position, 1);
  const [[fromIndex, from], [toIndex, to]] = [POINTS[upper - 1] ?? POINTS[0], POINTS[upper] ?? POINTS[1]];
  const slowdown = from + ((benchmarkIndex - fromIndex) / (toIndex - fromIndex)) * (to - from);
  return Math.max(1, Math.round(slowdown * 100) / 100);
}
