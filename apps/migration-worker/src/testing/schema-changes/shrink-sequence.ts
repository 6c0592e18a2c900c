import type { TakenSequence } from './plain-sequence.js';

type Still = (sequence: TakenSequence) => Promise<TakenSequence | null>;

/**
 * Returns the smallest sequence that still fails. `still` runs one and returns what the plain server
 * accepted, or null when it does not fail.
 */
export async function shrinkSequence(sequence: TakenSequence, still: Still, triesMax = 150): Promise<TakenSequence> {
  let smallest = sequence;
  let tries = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of listSmaller(smallest)) {
      if ((tries += 1) > triesMax) return smallest;
      const found = await still(candidate);
      if (found === null || sizeOf(found) >= sizeOf(smallest)) continue;
      smallest = found;
      isSmaller = true;
      break;
    }
  }
  return smallest;
}

function sizeOf({ base, baseRows, parts }: TakenSequence): number {
  const texts = [...base, ...baseRows, ...parts.flatMap((part) => [...part.statements, ...part.rows])];
  return texts.reduce((sum, text) => sum + 40 + text.length, 0) + parts.length * 10;
}

/** Yields smaller sequences, from the largest cut to the smallest. */
function* listSmaller(sequence: TakenSequence): Generator<TakenSequence> {
  const { base, baseRows, parts } = sequence;
  const statements = parts.flatMap((part, at) => part.statements.map((sql, index) => ({ at, index, sql })));
  const keep = (isKept: (position: number) => boolean): TakenSequence => {
    const kept = statements.filter((_, position) => isKept(position));
    return { ...sequence, parts: parts.map((part, at) => ({ ...part, statements: kept.filter((entry) => entry.at === at).map(({ sql }) => sql) })) };
  };
  if (parts.some((part) => part.rows.length > 0)) yield { ...sequence, parts: parts.map((part) => ({ ...part, rows: [] })) };
  for (let size = Math.ceil(statements.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < statements.length; from += size) yield keep((position) => position < from || position >= from + size);
  }
  for (let at = base.length - 1; at >= 0; at -= 1) {
    const table = /`[^`]+`/.exec(base[at] ?? '')?.[0] ?? '';
    yield { ...sequence, base: base.filter((_, index) => index !== at), baseRows: baseRows.filter((sql) => !sql.startsWith(`INSERT INTO ${table} `)) };
  }
  for (const { at, index, sql } of statements) {
    for (const shorter of shortenAlter(sql)) {
      const replaced = (part: TakenSequence['parts'][number]): string[] => part.statements.map((other, place) => (place === index ? shorter : other));
      yield { ...sequence, parts: parts.map((part, place) => (place === at ? { ...part, statements: replaced(part) } : part)) };
    }
  }
  for (let at = 0; at + 1 < parts.length; at += 1) {
    const [one, next] = [parts[at], parts[at + 1]];
    if (one === undefined || next === undefined) continue;
    const joined = { statements: [...one.statements, ...next.statements], rows: [...one.rows, ...next.rows] };
    yield { ...sequence, parts: [...parts.slice(0, at), joined, ...parts.slice(at + 2)] };
  }
}

/** Returns the ALTER without one of its clauses, for each clause. */
function shortenAlter(sql: string): string[] {
  const [, head = '', body = ''] = /^(ALTER TABLE `[^`]+` )(.*)$/s.exec(sql) ?? [];
  const clauses = body.split(/,(?![^(]*\)) /);
  if (clauses.length < 2) return [];
  return clauses.map((_, at) => head + clauses.filter((__, other) => other !== at).join(', '));
}

/** Returns the sequence as a report shows it, without the prefix of its names. */
export function showSequence({ seed, prefix, base, baseRows, parts }: TakenSequence): string {
  const used = parts.map((part) => [...part.statements, ...part.rows.map((row) => `-- then ${row}`)].join(';\n'));
  return [`-- seed ${seed}`, ...base, ...baseRows, ...used.map((text, at) => `-- part ${at + 1}\n${text}`)].join(';\n').replaceAll(prefix, '');
}
