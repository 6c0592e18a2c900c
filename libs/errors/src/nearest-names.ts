/**
 * The known names most like `name`, best first, at most `namesMax`: same letters in another case first,
 * then by edit distance up to a third of the length.
 */
export function nearestNames(name: string, known: readonly string[], namesMax = 3): string[] {
  const wanted = name.toLowerCase();
  const distanceMax = Math.max(1, Math.floor(wanted.length / 3));
  const scored: { candidate: string; distance: number }[] = [];
  for (const candidate of known) {
    const distance = editDistance(wanted, candidate.toLowerCase(), distanceMax);
    if (distance <= distanceMax) scored.push({ candidate, distance });
  }
  scored.sort((a, b) => a.distance - b.distance || (a.candidate < b.candidate ? -1 : 1));
  return scored.slice(0, namesMax).map((entry) => entry.candidate);
}

/** Edits between two words, a swap of neighbours counting as one; anything above `distanceMax` is reported as `distanceMax + 1`. */
function editDistance(a: string, b: string, distanceMax: number): number {
  if (Math.abs(a.length - b.length) > distanceMax) return distanceMax + 1;
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const current = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const substitution = (previous[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let least = Math.min(substitution, (previous[j] ?? 0) + 1, (current[j - 1] ?? 0) + 1);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, (beforePrevious[j - 2] ?? 0) + 1);
      current.push(least);
    }
    beforePrevious = previous;
    previous = current;
  }
  return previous[b.length] ?? distanceMax + 1;
}
