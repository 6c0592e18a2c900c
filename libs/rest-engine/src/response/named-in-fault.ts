import type {
  CheckConstraint,
  CompiledColumn,
  CompiledTable,
  ForeignKey,
  Index,
} from '@rowhouse/schema-model';

/**
 * These functions find the names in a server's error message. Servers double backquotes inconsistently and
 * put values of the caller before the names. Messages are therefore not parsed. Known names are searched for
 * at the positions where names occur.
 */

/**
 * Finds the index in a message such as `Duplicate entry 'x' for key 'email'`. MySQL writes the key as
 * `users.email`.
 */
export function findDuplicateKey(
  message: string,
  table: CompiledTable,
): { table: CompiledTable; index: Index } | null {
  const mark = " for key '";
  const position = message.lastIndexOf(mark);
  if (position < 0) return null;
  const tail = message.slice(position + mark.length).replace(/'$/, '');
  const own = table.indexes.find((index) => index.name === tail || `${table.name}.${index.name}` === tail);
  if (own !== undefined) return { table, index: own };
  const other = findTable(table, (candidate) => tail.startsWith(`${candidate}.`));
  const index = other?.indexes.find((candidate) => `${other.name}.${candidate.name}` === tail);
  return other === null || index === undefined ? null : { table: other, index };
}

/**
 * Finds the foreign key in a message such as `… fails (\`db\`.\`comments\`, CONSTRAINT \`fk\` FOREIGN KEY
 * …)`, and the table that has this key. Returns null if the API key may not see a part of it.
 */
export function findForeignKey(
  message: string,
  table: CompiledTable,
): { holder: CompiledTable; key: ForeignKey } | null {
  for (const source of table.schema.snapshot.tables) {
    const key = source.foreignKeys.find((candidate) =>
      spellings(source.name).some((holder) =>
        spellings(candidate.name).some((name) =>
          message.includes(`.${holder}, CONSTRAINT ${name} FOREIGN KEY`),
        ),
      ),
    );
    if (key === undefined) continue;
    const holder = table.schema.findByName(source.name);
    if (holder === null || table.schema.findByName(key.referencedTable) === null) return null;
    return key.columns.some((name) => holder.findColumn(name) === null) ? null : { holder, key };
  }
  return null;
}

/**
 * Finds the check constraint in a message. MariaDB writes `CONSTRAINT \`c\` failed for …`, or `CONSTRAINT
 * \`table.c\`` for the check of a column. MySQL writes `Check constraint 'c' is violated.`
 */
export function findCheck(message: string, table: CompiledTable): CheckConstraint | null {
  const starts = (check: CheckConstraint): string[] => [
    `Check constraint '${check.name}' is violated`,
    ...[check.name, `${table.name}.${check.name}`]
      .flatMap(spellings)
      .map((name) => `CONSTRAINT ${name} failed for `),
  ];
  return (
    table.source.checks.find((check) => starts(check).some((start) => message.startsWith(start))) ?? null
  );
}

/**
 * Finds the column in a message. Known forms are `Data too long for column 'x' at row 1`, `… for column
 * \`db\`.\`t\`.\`x\` at row 1`, `Column 'x' cannot be null` and `value for column 't.x'`.
 */
export function findFaultColumn(message: string, table: CompiledTable): CompiledColumn | null {
  const found = table.columns
    .filter((column) => !column.hidden)
    .map((column) => ({
      column,
      index: Math.max(...columnMarks(column.name, table.name).map((mark) => message.lastIndexOf(mark))),
    }))
    .filter(({ index }) => index >= 0)
    // Values in a message come before its names and may contain the same words, so the last match is the
    // server's. If several names match at this position, the longest is used.
    .sort((a, b) => b.index - a.index || b.column.name.length - a.column.name.length);
  if (found[0] !== undefined) return found[0].column;
  const shapes = / function st_/i.test(message)
    ? table.columns.filter((column) => column.valueKind === 'geometry' && !column.hidden)
    : [];
  return shapes.length === 1 ? (shapes[0] ?? null) : null;
}

function columnMarks(name: string, table: string): string[] {
  return [
    `Field '${name}' doesn't`,
    `olumn '${name}'`,
    `olumn '${table}.${name}'`,
    ...[name, name.replaceAll('`', '``')].map((spelled) => `.\`${spelled}\` at row `),
  ];
}

function spellings(name: string): string[] {
  return [`\`${name}\``, `\`${name.replaceAll('`', '``')}\``];
}

/** Returns the visible table with the longest name for which `isMeant` returns true. */
function findTable(table: CompiledTable, isMeant: (name: string) => boolean): CompiledTable | null {
  const names = table.schema.tableNames.filter(isMeant).sort((a, b) => b.length - a.length);
  return names[0] === undefined ? null : table.schema.findByName(names[0]);
}
