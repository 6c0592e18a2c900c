export interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed';
  readonly text: string;
}

export interface ObjectDiff {
  /** The first line without its trailing parenthesis, such as `CREATE TABLE posts`. */
  readonly title: string;
  readonly lines: readonly DiffLine[];
}

/**
 * Returns the statements that differ between two schema texts, with a line diff of each. The server renders
 * both texts, so equal objects have equal text.
 */
export function diffSchemaText(live: string, draft: string): ObjectDiff[] {
  const [before, after] = [splitObjects(live), splitObjects(draft)];
  const titles = [...new Set([...before.keys(), ...after.keys()])].sort();
  return titles.flatMap((title) => {
    const [old, now] = [before.get(title) ?? '', after.get(title) ?? ''];
    return old === now ? [] : [{ title, lines: diffLines(toLines(old), toLines(now)) }];
  });
}

function toLines(text: string): string[] {
  return text === '' ? [] : text.split('\n');
}

/** Splits at each `;` at the end of a line. The bodies of triggers and routines stay with their statement. */
function splitObjects(sql: string): Map<string, string> {
  const objects = new Map<string, string>();
  for (const part of sql.split(/\n(?=(?:CREATE|ALTER|DELIMITER)\b)/)) {
    const text = part.trim();
    if (text === '') continue;
    const title = (text.split('\n')[0] ?? '').replace(/\s*\(?\s*$/, '').slice(0, 120);
    objects.set(title, objects.has(title) ? `${objects.get(title) ?? ''}\n${text}` : text);
  }
  return objects;
}

/** Compares two lists of lines by their longest common subsequence. */
export function diffLines(before: readonly string[], after: readonly string[]): DiffLine[] {
  const lengths = Array.from({ length: before.length + 1 }, () => new Uint16Array(after.length + 1));
  const at = (row: number, column: number): number => lengths[row]?.[column] ?? 0;
  for (let row = before.length - 1; row >= 0; row -= 1) {
    for (let column = after.length - 1; column >= 0; column -= 1) {
      (lengths[row] as Uint16Array)[column] =
        before[row] === after[column]
          ? at(row + 1, column + 1) + 1
          : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < before.length || column < after.length) {
    if (row < before.length && column < after.length && before[row] === after[column]) {
      lines.push({ kind: 'same', text: before[row] as string });
      [row, column] = [row + 1, column + 1];
    } else if (column >= after.length || (row < before.length && at(row + 1, column) >= at(row, column + 1)))
      lines.push({ kind: 'removed', text: before[row++] as string });
    else lines.push({ kind: 'added', text: after[column++] as string });
  }
  return lines;
}
