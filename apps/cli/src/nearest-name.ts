/** Returns the most similar name, or null when none is similar enough. */
export function nearestName(provided: string, names: readonly string[]): string | null {
  const ranked = names.map((name) => ({ name, far: distance(provided, name) })).sort((a, b) => a.far - b.far);
  const [best] = ranked;
  return best !== undefined && best.far <= Math.max(1, Math.floor(provided.length / 3)) ? best.name : null;
}

/** Returns the number of inserted, deleted and changed letters. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      next.push(
        Math.min(
          (row[j] ?? 0) + 1,
          (next[j - 1] ?? 0) + 1,
          (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1),
        ),
      );
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
