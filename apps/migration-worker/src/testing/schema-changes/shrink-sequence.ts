import type { TakenSequence } from './plain-sequence.js';

type StillFails = (sequence: TakenSequence) => Promise<TakenSequence | null>;

/**
 * Returns the smallest sequence that still fails. `still` runs a sequence and returns what the plain server
 * accepted. It returns null when the sequence does not fail.
 */
export async function shrinkSequence(
  sequence: TakenSequence,
  still: StillFails,
  attemptsMax = 150,
): Promise<TakenSequence> {
  let smallest = sequence;
  let attempts = 0;
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false;
    for (const candidate of listSmaller(smallest)) {
      if ((attempts += 1) > attemptsMax) return smallest;
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
  const statements = parts.flatMap((part, position) =>
    part.statements.map((sql, index) => ({ at: position, index, sql })),
  );
  const keep = (isRetained: (position: number) => boolean): TakenSequence => {
    const retained = statements.filter((_, position) => isRetained(position));
    return {
      ...sequence,
      parts: parts.map((part, index) => ({
        ...part,
        statements: retained.filter((entry) => entry.at === index).map(({ sql }) => sql),
      })),
    };
  };
  if (parts.some((part) => part.rows.length > 0))
    yield { ...sequence, parts: parts.map((part) => ({ ...part, rows: [] })) };
  for (let size = Math.ceil(statements.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < statements.length; from += size)
      yield keep((position) => position < from || position >= from + size);
  }
  for (let position = base.length - 1; position >= 0; position -= 1) {
    const table = /`[^`]+`/.exec(base[position] ?? '')?.[0] ?? '';
    yield {
      ...sequence,
      base: base.filter((_, index) => index !== position),
      baseRows: baseRows.filter((sql) => !sql.startsWith(`INSERT INTO ${table} `)),
    };
  }
  for (const { at: position, index, sql } of statements) {
    for (const shorter of shortenAlter(sql)) {
      const replaced = (part: TakenSequence['parts'][number]): string[] =>
        part.statements.map((other, place) => (place === index ? shorter : other));
      yield {
        ...sequence,
        parts: parts.map((part, index) =>
          index === position ? { ...part, statements: replaced(part) } : part,
        ),
      };
    }
  }
  for (let index = 0; index + 1 < parts.length; index += 1) {
    const [item, next] = [parts[index], parts[index + 1]];
    if (item === undefined || next === undefined) continue;
    const joined = {
      statements: [...item.statements, ...next.statements],
      rows: [...item.rows, ...next.rows],
    };
    yield { ...sequence, parts: [...parts.slice(0, index), joined, ...parts.slice(index + 2)] };
  }
}

/** Returns the ALTER without one of its clauses, once for each clause. */
function shortenAlter(sql: string): string[] {
  const [, head = '', body = ''] = /^(ALTER TABLE `[^`]+` )(.*)$/s.exec(sql) ?? [];
  const clauses = body.split(/,(?![^(]*\)) /);
  if (clauses.length < 2) return [];
  return clauses.map((_, index) => head + clauses.filter((__, other) => other !== index).join(', '));
}

/** Returns the sequence as a report shows it, without the prefix of its names. */
export function showSequence({ seed, prefix, base, baseRows, parts }: TakenSequence): string {
  const used = parts.map((part) =>
    [...part.statements, ...part.rows.map((row) => `-- then ${row}`)].join(';\n'),
  );
  return [
    `-- seed ${seed}`,
    ...base,
    ...baseRows,
    ...used.map((text, index) => `-- part ${index + 1}\n${text}`),
  ]
    .join(';\n')
    .replaceAll(prefix, '');
}
