import { quoteName, type AdminSession } from '@rowhouse/mysql';

/** The definition and the rows of each table, by its name without the prefix. */
export type Contents = ReadonlyMap<string, { readonly definition: string; readonly rows: string }>;

/** Matches columns that the worker has soft-deleted. They are invisible and not part of the schema. */
const KEPT = /^\s*(?:`_rh_|(?:UNIQUE )?KEY `_rh_)/;

/**
 * Matches an index that a server created for a foreign key. On a plain server, the next index on the same
 * column replaces it. In a deployed schema, it is an ordinary index and keeps its name.
 */
const KEY_OF_FOREIGN_KEY = /^( +KEY )`\w*fk\d+`/;
const RENAMED_KEY = /^ +KEY `fk` \((.*)\)$/;

export async function readContents(
  session: AdminSession,
  schemaName: string,
  prefix: string,
): Promise<Contents> {
  const tables = await session.rows<{ name: string }>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND LEFT(TABLE_NAME, ?) = ? ORDER BY 1',
    [schemaName, String(prefix.length), prefix],
  );
  const contents = new Map<string, { definition: string; rows: string }>();
  for (const { name } of tables) {
    const table = `${quoteName(schemaName)}.${quoteName(name)}`;
    const [visible] = await session.rows<Record<string, string>>(`SHOW CREATE TABLE ${table}`);
    const rows = await session.rows<Record<string, unknown>>(`SELECT * FROM ${table}`);
    const texts = rows.map((row) =>
      JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)),
    );
    contents.set(name.slice(prefix.length), {
      definition: sortDefinition(visible?.['Create Table'] ?? ''),
      rows: texts.sort().join('\n'),
    });
  }
  return contents;
}

/**
 * Sorts keys and constraints, which a server lists in the order of creation. The order of columns does not
 * change.
 */
function sortDefinition(text: string): string {
  const lines = text
    .split('\n')
    .map((line) => line.replace(/,$/, '').replace(KEY_OF_FOREIGN_KEY, '$1`fk`'))
    .filter((line) => !KEPT.test(line))
    .filter((line, index, all) => !isReplaceable(line, index, all));
  const columns = lines.slice(1, -1).filter((line) => line.trim().startsWith('`'));
  const others = lines.slice(1, -1).filter((line) => !line.trim().startsWith('`'));
  return [lines[0], ...columns, ...others.sort(), lines.at(-1)].join('\n');
}

/** Returns whether another index starts with the columns of a foreign key's index. */
function isReplaceable(line: string, index: number, lines: readonly string[]): boolean {
  const [, columns] = RENAMED_KEY.exec(line) ?? [];
  if (columns === undefined) return false;
  return lines.some(
    (other, position) =>
      position !== index &&
      / KEY /.test(other) &&
      !other.includes('FOREIGN KEY') &&
      (other.includes(`(${columns})`)
        ? position < index || !RENAMED_KEY.test(other)
        : other.includes(`(${columns},`)),
  );
}

/** Returns each difference as one or two lines, or an empty list. */
export function listDifferences(expected: Contents, found: Contents): string[] {
  const names = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return names.flatMap((name) => {
    const [item, other] = [expected.get(name), found.get(name)];
    if (item === undefined) return [`${name} should not be there`];
    if (other === undefined) return [`${name} is missing`];
    return [
      ...listLines(name, item.definition, other.definition),
      ...listLines(`${name} rows`, item.rows, other.rows),
    ];
  });
}

function listLines(name: string, expected: string, found: string): string[] {
  if (expected === found) return [];
  const [item, other] = [expected.split('\n'), found.split('\n')];
  const missing = item
    .filter((line) => !other.includes(line))
    .map((line) => `${name}: expected ${line.trim()}`);
  const extra = other
    .filter((line) => !item.includes(line))
    .map((line) => `${name}: found    ${line.trim()}`);
  return missing.length + extra.length > 0
    ? [...missing, ...extra]
    : [`${name}: the order differs: ${other.join(' | ')}`];
}
