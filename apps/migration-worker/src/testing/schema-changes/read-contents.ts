import { quoteName, type AdminSession } from '@rowhouse/mysql';

/** The definition and the rows of each table, by its name without the prefix. */
export type Contents = ReadonlyMap<string, { readonly definition: string; readonly rows: string }>;

/** What the worker keeps of a dropped column until its time has passed: invisible, and no part of the schema. */
const KEPT = /^\s*(?:`_rh_|(?:UNIQUE )?KEY `_rh_)/;

/**
 * The index that a server makes for a foreign key gives way to the next one over its column. In a schema that is deployed
 * it is an index like any other, and keeps its name.
 */
const KEY_OF_FOREIGN_KEY = /^( +KEY )`\w*fk\d+`/;

export async function readContents(session: AdminSession, schemaName: string, prefix: string): Promise<Contents> {
  const tables = await session.rows<{ name: string }>(
    'SELECT TABLE_NAME AS name FROM information_schema.TABLES WHERE TABLE_SCHEMA = ? AND LEFT(TABLE_NAME, ?) = ? ORDER BY 1',
    [schemaName, String(prefix.length), prefix],
  );
  const contents = new Map<string, { definition: string; rows: string }>();
  for (const { name } of tables) {
    const table = `${quoteName(schemaName)}.${quoteName(name)}`;
    const [shown] = await session.rows<Record<string, string>>(`SHOW CREATE TABLE ${table}`);
    const rows = await session.rows<Record<string, unknown>>(`SELECT * FROM ${table}`);
    const texts = rows.map((row) => JSON.stringify(row, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value)));
    contents.set(name.slice(prefix.length), { definition: sortDefinition(shown?.['Create Table'] ?? ''), rows: texts.sort().join('\n') });
  }
  return contents;
}

/** Columns stay in their order. Keys and constraints are sorted: a server lists them in the order in which they were made. */
function sortDefinition(text: string): string {
  const lines = text.split('\n').map((line) => line.replace(/,$/, '').replace(KEY_OF_FOREIGN_KEY, '$1`fk`')).filter((line) => !KEPT.test(line));
  const columns = lines.slice(1, -1).filter((line) => line.trim().startsWith('`'));
  const others = lines.slice(1, -1).filter((line) => !line.trim().startsWith('`'));
  return [lines[0], ...columns, ...others.sort(), lines.at(-1)].join('\n');
}

/** Each difference in a line or two; none when both are the same. */
export function listDifferences(expected: Contents, found: Contents): string[] {
  const names = [...new Set([...expected.keys(), ...found.keys()])].sort();
  return names.flatMap((name) => {
    const [one, other] = [expected.get(name), found.get(name)];
    if (one === undefined) return [`${name} should not be there`];
    if (other === undefined) return [`${name} is missing`];
    return [...listLines(name, one.definition, other.definition), ...listLines(`${name} rows`, one.rows, other.rows)];
  });
}

function listLines(name: string, expected: string, found: string): string[] {
  if (expected === found) return [];
  const [one, other] = [expected.split('\n'), found.split('\n')];
  const missing = one.filter((line) => !other.includes(line)).map((line) => `${name}: expected ${line.trim()}`);
  const extra = other.filter((line) => !one.includes(line)).map((line) => `${name}: found    ${line.trim()}`);
  return missing.length + extra.length > 0 ? [...missing, ...extra] : [`${name}: the order differs: ${other.join(' | ')}`];
}
