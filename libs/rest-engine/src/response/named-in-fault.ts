import type { CheckConstraint, CompiledColumn, CompiledTable, ForeignKey, Index } from '@rowhouse/schema-model';

/**
 * What a server's message is about. Engines write names with backquotes doubled or not, and with values of the caller
 * before them: nothing is parsed out of a message, known names are looked for where names stand.
 */

/** `Duplicate entry 'x' for key 'email'`; MySQL writes `users.email`. */
export function findDuplicateKey(message: string, table: CompiledTable): { table: CompiledTable; index: Index } | null {
  const mark = " for key '";
  const at = message.lastIndexOf(mark);
  if (at < 0) return null;
  const tail = message.slice(at + mark.length).replace(/'$/, '');
  const own = table.indexes.find((index) => index.name === tail || `${table.name}.${index.name}` === tail);
  if (own !== undefined) return { table, index: own };
  const other = findTable(table, (candidate) => tail.startsWith(`${candidate}.`));
  const index = other?.indexes.find((candidate) => `${other.name}.${candidate.name}` === tail);
  return other === null || index === undefined ? null : { table: other, index };
}

/** `… fails (\`db\`.\`comments\`, CONSTRAINT \`fk\` FOREIGN KEY …)`: the table that holds the key, and the key; null where a part of it is hidden. */
export function findForeignKey(message: string, table: CompiledTable): { holder: CompiledTable; key: ForeignKey } | null {
  for (const source of table.schema.snapshot.tables) {
    const key = source.foreignKeys.find((candidate) => spellings(source.name).some((holder) => spellings(candidate.name).some((name) => message.includes(`.${holder}, CONSTRAINT ${name} FOREIGN KEY`))));
    if (key === undefined) continue;
    const holder = table.schema.findByName(source.name);
    if (holder === null || table.schema.findByName(key.referencedTable) === null) return null;
    return key.columns.some((name) => holder.findColumn(name) === null) ? null : { holder, key };
  }
  return null;
}

/** MariaDB: `CONSTRAINT \`c\` failed for …`, at a column `CONSTRAINT \`table.c\``; MySQL: `Check constraint 'c' is violated.` */
export function findCheck(message: string, table: CompiledTable): CheckConstraint | null {
  const starts = (check: CheckConstraint): string[] => [
    `Check constraint '${check.name}' is violated`,
    ...[check.name, `${table.name}.${check.name}`].flatMap(spellings).map((name) => `CONSTRAINT ${name} failed for `),
  ];
  return table.source.checks.find((check) => starts(check).some((start) => message.startsWith(start))) ?? null;
}

/** `Data too long for column 'x' at row 1`, `… for column \`db\`.\`t\`.\`x\` at row 1`, `Column 'x' cannot be null`, `value for column 't.x'`. */
export function findFaultColumn(message: string, table: CompiledTable): CompiledColumn | null {
  const found = table.columns
    .filter((column) => !column.hidden)
    .map((column) => ({ column, at: Math.max(...columnMarks(column.name, table.name).map((mark) => message.lastIndexOf(mark))) }))
    .filter(({ at }) => at >= 0)
    // What stands last is the server's own; a value with such words in it stands before. Of names that begin alike the longest.
    .sort((a, b) => b.at - a.at || b.column.name.length - a.column.name.length);
  if (found[0] !== undefined) return found[0].column;
  const shapes = / function st_/i.test(message) ? table.columns.filter((column) => column.valueKind === 'geometry' && !column.hidden) : [];
  return shapes.length === 1 ? (shapes[0] ?? null) : null;
}

function columnMarks(name: string, table: string): string[] {
  return [`Field '${name}' doesn't`, `olumn '${name}'`, `olumn '${table}.${name}'`, ...[name, name.replaceAll('`', '``')].map((spelled) => `.\`${spelled}\` at row `)];
}

function spellings(name: string): string[] {
  return [`\`${name}\``, `\`${name.replaceAll('`', '``')}\``];
}

/** A visible table. */
function findTable(table: CompiledTable, isMeant: (name: string) => boolean): CompiledTable | null {
  const names = table.schema.tableNames.filter(isMeant).sort((a, b) => b.length - a.length);
  return names[0] === undefined ? null : table.schema.findByName(names[0]);
}
