/**
 * Processes items one after the other. A failure does not stop the others. Returns the processed items.
 * Throws an AggregateError at the end if some failed. `toText` formats the counts.
 */
export async function forEachSettled<T>(
  items: readonly T[],
  callback: (item: T) => Promise<unknown>,
  toText: (failed: number, total: number) => string,
): Promise<T[]> {
  const done: T[] = [];
  const faults: unknown[] = [];
  for (const item of items)
    await callback(item).then(
      () => done.push(item),
      (error: unknown) => faults.push(error),
    );
  if (faults.length > 0) throw new AggregateError(faults, toText(faults.length, items.length));
  return done;
}
