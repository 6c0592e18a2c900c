/**
 * Which of the columns in `after` have to be moved so that `before` reads like it: as few as can be, since moving one may
 * copy the table. Columns that are in one list alone count for nothing.
 */
export function findMovedColumns(before: readonly string[], after: readonly string[]): ReadonlySet<string> {
  const places = after.map((name) => before.indexOf(name));
  const kept = new Set(findLongestRise(places).map((at) => after[at]));
  return new Set(after.filter((name) => !kept.has(name)));
}

/** Positions of a longest rising run of numbers. */
function findLongestRise(numbers: readonly number[]): number[] {
  const best: number[][] = [];
  let longest: number[] = [];
  numbers.forEach((number, at) => {
    let run: number[] = [];
    for (let earlier = 0; earlier < at; earlier += 1) {
      const before = best[earlier] as number[];
      if ((numbers[earlier] as number) < number && before.length > run.length) run = before;
    }
    best[at] = [...run, at];
    if (best[at].length > longest.length) longest = best[at];
  });
  return longest;
}
