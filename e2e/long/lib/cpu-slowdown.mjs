// @ts-check
/**
 * Where Lighthouse's own calculator puts a middle phone, by the benchmarkIndex of the machine that plays it: between two of these,
 * in proportion (its docs/throttling.md, "Calibrating the CPU slowdown"). The usual 4 is meant for machines of 1,533.
 */
const POINTS = /** @type {const} */ ([[150, 1], [800, 2], [1_300, 3], [1_533, 4], [2_000, 6]]);

/**
 * How many times slower than a machine of this index the middle phone is; as slow as itself below the lowest index, and in
 * proportion above the highest.
 * @param {number} benchmarkIndex as Lighthouse measures it before each load
 */
export function calibrateSlowdown(benchmarkIndex) {
  if (!(benchmarkIndex > 0)) throw new Error(`No benchmarkIndex: ${benchmarkIndex}`);
  const at = POINTS.findIndex(([index]) => benchmarkIndex < index);
  const upper = at < 0 ? POINTS.length - 1 : Math.max(at, 1);
  const [[fromIndex, from], [toIndex, to]] = [POINTS[upper - 1] ?? POINTS[0], POINTS[upper] ?? POINTS[1]];
  const slowdown = from + ((benchmarkIndex - fromIndex) / (toIndex - fromIndex)) * (to - from);
  return Math.max(1, Math.round(slowdown * 100) / 100);
}
