/**
 * Returns the columns that have to be moved to turn the order of `before` into that of `after`. It moves as
 * few as possible, because a move may copy the table. Columns that are only in one of the lists are ignored.
 */
export function findMovedColumns(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const locations = after.map((name) => before.indexOf(name));
  const persisted = new Set(findLongestRise(locations).map((index) => after[index]));
  return new Set(after.filter((name) => !persisted.has(name)));
}

/** Returns the positions of a longest increasing subsequence. */
function findLongestRise(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  let longest: number[] = [];
  numbers.forEach((number, index) => {
    let run: number[] = [];
    for (let earlier = 0; earlier < index; earlier += 1) {
      const before = best[earlier] as number[];
      if ((numbers[earlier] as number) < number && before.length > run.length) run = before;
    }
    best[index] = [...run, index];
    if (best[index].length > longest.length) longest = best[index];
  });
  return longest;
}
