/**
 * Returns up to `namesMax` known names that are similar to `name`, with the most similar first. Names that
 * differ only in case come first. Other names are similar if their edit distance is at most a third of the
 * length. The total number of compared characters is limited, so if there are very many long names, only the
 * first of them are compared.
 */
export function nearestNames(name: string, known: readonly string[], namesMax = 3): string[] {
  const requested = name.toLowerCase();
  const distanceMax = Math.max(1, Math.floor(requested.length / 3));
  const distanceTo = createEditDistance(requested, distanceMax);
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of known) {
    const distance = distanceTo(candidate.toLowerCase());
    if (distance <= distanceMax) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, namesMax).map((entry) => entry.candidate);
}

/**
 * The maximum number of pairs of characters that are compared for one name. Without this limit, thousands of
 * long names would take seconds.
 */
const CELLS_MAX = 2_000_000;

/**
 * Returns a function that computes the edit distance between `requested` and another word. Swapping two
 * adjacent characters counts as one edit. A distance above `distanceMax` is returned as `distanceMax + 1`.
 * Only table cells within `distanceMax` of the diagonal are computed, because API clients choose the words
 * and the number of requests.
 */
function createEditDistance(requested: string, distanceMax: number): (other: string) => number {
  const beyond = distanceMax + 1;
  let remaining = CELLS_MAX;
  let rows: readonly [Int32Array, Int32Array, Int32Array] | null = null;
  return (other) => {
    if (Math.abs(requested.length - other.length) > distanceMax || remaining <= 0) return beyond;
    rows ??= [makeRow(), makeRow(), makeRow()];
    let [beforePrevious, previous, current] = rows;
    let previousLeast = 0;
    for (let j = 0; j <= other.length; j += 1) previous[j] = Math.min(j, beyond);
    for (let i = 1; i <= requested.length; i += 1) {
      const first = Math.max(1, i - distanceMax);
      const last = Math.min(other.length, i + distanceMax);
      remaining -= last - first + 1;
      current[first - 1] = first === 1 ? Math.min(i, beyond) : beyond;
      let rowLeast = current[first - 1] as number;
      for (let j = first; j <= last; j += 1) {
        let minimum = Math.min(
          (previous[j - 1] as number) + (requested.charCodeAt(i - 1) === other.charCodeAt(j - 1) ? 0 : 1),
          (previous[j] as number) + 1,
          (current[j - 1] as number) + 1,
        );
        const isSwap =
          i > 1 &&
          j > 1 &&
          requested.charCodeAt(i - 1) === other.charCodeAt(j - 2) &&
          requested.charCodeAt(i - 2) === other.charCodeAt(j - 1);
        if (isSwap) minimum = Math.min(minimum, (beforePrevious[j - 2] as number) + 1);
        current[j] = minimum;
        rowLeast = Math.min(rowLeast, minimum);
      }
      // Marks the end of the computed cells, because the next row reads one cell further.
      current[last + 1] = beyond;
      if (rowLeast > distanceMax && previousLeast > distanceMax) return beyond;
      previousLeast = rowLeast;
      [beforePrevious, previous, current] = [previous, current, beforePrevious];
    }
    return previous[other.length] as number;
  };

  function makeRow(): Int32Array {
    return new Int32Array(requested.length + distanceMax + 2);
  }
}
