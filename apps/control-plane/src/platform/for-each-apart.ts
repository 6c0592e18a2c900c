/**
 * Does each of a list, one after the other; what fails with one keeps no other from its own. Answers those that are done.
 * Throws an AggregateError behind the last when some were not: `toText` says how many of how many.
 */
export async function forEachApart<T>(items: readonly T[], work: (item: T) => Promise<unknown>, toText: (failed: number, total: number) => string): Promise<T[]> {
  const done: T[] = [];
  const faults: unknown[] = [];
  for (const item of items) await work(item).then(() => done.push(item), (error: unknown) => faults.push(error));
  if (faults.length > 0) throw new AggregateError(faults, toText(faults.length, items.length));
  return done;
}
