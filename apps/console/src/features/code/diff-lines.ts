export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

/** With more lines, a text is shown as completely replaced, because the comparison table would be large. */
const LINES_MAX = 2_000;

/** Returns the lines of two texts as one list, aligned by their longest common subsequence. */
export function diffLines(before: string, after: string): DiffLine[] {
  const a = before === '' ? [] : before.split('\n');
  const b = after === '' ? [] : after.split('\n');
  if (a.length > LINES_MAX || b.length > LINES_MAX)
    return [
      ...a.map((text) => ({ kind: 'removed' as const, text })),
      ...b.map((text) => ({ kind: 'added' as const, text })),
    ];
  const lengths = commonLengths(a, b);
  const lines: DiffLine[] = [];
  for (let i = 0, j = 0; i < a.length || j < b.length;) {
    if (i < a.length && j < b.length && a[i] === b[j]) {
      lines.push({ kind: 'same', text: a[i] as string });
      i += 1;
      j += 1;
    } else if (i < a.length && (j === b.length || at(lengths, i + 1, j) >= at(lengths, i, j + 1))) {
      lines.push({ kind: 'removed', text: a[i] as string });
      i += 1;
    } else {
      lines.push({ kind: 'added', text: b[j] as string });
      j += 1;
    }
  }
  return lines;
}

/** The element `[i][j]` is the length of the longest common subsequence of the lines from there on. */
function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      (lengths[i] as Uint16Array)[j] =
        a[i] === b[j]
          ? at(lengths, i + 1, j + 1) + 1
          : Math.max(at(lengths, i + 1, j), at(lengths, i, j + 1));
    }
  }
  return lengths;
}

function at(lengths: readonly Uint16Array[], i: number, j: number): number {
  return lengths[i]?.[j] ?? 0;
}

/** Returns only the changed lines with some lines of context. Each null represents omitted lines. */
export function foldDiff(lines: readonly DiffLine[], around = 3): (DiffLine | null)[] {
  const isNear = lines.map((_, index) =>
    lines.slice(Math.max(0, index - around), index + around + 1).some((line) => line.kind !== 'same'),
  );
  return lines.flatMap((line, index): (DiffLine | null)[] => {
    if (isNear[index]) return [line];
    return index === 0 || isNear[index - 1] ? [null] : [];
  });
}
