import { quoteName } from '../sql-text.js';

/**
 * Returns the smallest set of names in `current` that must be moved so that all names have the order of
 * `target`.
 */
export function findMoved(current: readonly string[], target: readonly string[]): string[] {
  const rank = new Map(target.map((name, index) => [name, index]));
  const common = current.filter((name) => rank.has(name));
  const inPlace = new Set(
    longestRising(common.map((name) => rank.get(name) ?? 0)).map((index) => common[index]),
  );
  return target.filter((name) => rank.has(name) && common.includes(name) && !inPlace.has(name));
}

/**
 * Returns the indexes of a longest increasing subsequence. The algorithm takes quadratic time, which is
 * acceptable for the number of columns in a table.
 */
function longestRising(values: readonly number[]): number[] {
  const lengths: number[] = [];
  const previous: number[] = [];
  let best = -1;
  values.forEach((value, index) => {
    lengths[index] = 1;
    previous[index] = -1;
    for (let earlier = 0; earlier < index; earlier += 1) {
      if ((values[earlier] ?? 0) < value && (lengths[earlier] ?? 0) + 1 > (lengths[index] ?? 0)) {
        lengths[index] = (lengths[earlier] ?? 0) + 1;
        previous[index] = earlier;
      }
    }
    if (best < 0 || (lengths[index] ?? 0) > (lengths[best] ?? 0)) best = index;
  });
  const picked: number[] = [];
  for (let index = best; index >= 0; index = previous[index] ?? -1) picked.unshift(index);
  return picked;
}

/**
 * Inserts `name` into the list `present` at the position that it has in `target`. Returns the corresponding
 * SQL clause: ` FIRST`, ` AFTER …`, or an empty text if the column is the last one.
 */
export function placeColumn(present: string[], target: readonly string[], name: string): string {
  const old = present.indexOf(name);
  if (old >= 0) present.splice(old, 1);
  const before = target
    .slice(0, target.indexOf(name))
    .reverse()
    .find((candidate) => present.includes(candidate));
  const index = before === undefined ? 0 : present.indexOf(before) + 1;
  const isLast = index === present.length;
  present.splice(index, 0, name);
  if (isLast && old < 0) return '';
  return before === undefined ? ' FIRST' : ` AFTER ${quoteName(before)}`;
}
