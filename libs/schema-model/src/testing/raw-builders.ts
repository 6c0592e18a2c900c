import type { ColumnDefault, ForeignKey, Index, ReferentialAction } from '../types.js';
import type { RawColumn, RawTable } from '../raw-schema.js';

/**
 * Returns a column in the form in which an engine describes it. Unless `changes` specifies something else, it
 * is NOT NULL and has no default.
 */
export function rawColumn(name: string, sqlType: string, changes: Partial<RawColumn> = {}): RawColumn {
  const type = /^[a-z0-9]+/.exec(sqlType)?.[0] ?? 'int';
  const length = /\((\d+)(?:,(\d+))?\)/.exec(sqlType);
  const isText = /char|text|binary|blob/.test(type);
  const labels =
    type === 'enum' || type === 'set'
      ? [...sqlType.matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '')
      : null;
  const none: ColumnDefault = { kind: 'none' };
  return {
    name,
    type,
    sqlType,
    nullable: false,
    default: none,
    autoIncrement: false,
    generated: null,
    invisible: false,
    unsigned: / unsigned/.test(sqlType),
    maxLength: isText ? Number(length?.[1] ?? 65535) : null,
    precision: type === 'decimal' || type === 'bit' ? Number(length?.[1] ?? 10) : null,
    scale: type === 'decimal' ? Number(length?.[2] ?? 0) : null,
    fraction: ['time', 'datetime', 'timestamp'].includes(type) ? Number(length?.[1] ?? 0) : null,
    charset: isText ? 'utf8mb4' : null,
    collation: isText ? 'utf8mb4_unicode_ci' : null,
    labels,
    onUpdateNow: false,
    comment: '',
    definition: `${sqlType} NOT NULL`,
    ...changes,
  };
}

export function rawTable(
  name: string,
  columns: readonly RawColumn[],
  changes: Partial<RawTable> = {},
): RawTable {
  const primaryKey = changes.primaryKey === undefined ? ['id'] : changes.primaryKey;
  const primary: Index[] = primaryKey === null ? [] : [uniqueIndex('PRIMARY', primaryKey)];
  const lines = columns.map((column) => `  \`${column.name}\` ${column.definition}`);
  return {
    name,
    kind: 'table',
    comment: '',
    collation: 'utf8mb4_unicode_ci',
    columns,
    foreignKeys: [],
    checks: [],
    createSql: `CREATE TABLE \`${name}\` (\n${lines.join(',\n')}\n) ENGINE=InnoDB`,
    ...changes,
    primaryKey,
    indexes: [...primary, ...(changes.indexes ?? [])],
  };
}

export function uniqueIndex(name: string, columns: readonly string[]): Index {
  return {
    name,
    unique: true,
    kind: 'btree',
    columns: columns.map((column) => ({ name: column, prefixLength: null, descending: false })),
    definition:
      name === 'PRIMARY'
        ? `PRIMARY KEY (\`${columns.join('`,`')}\`)`
        : `UNIQUE KEY \`${name}\` (\`${columns.join('`,`')}\`)`,
  };
}

export function foreignKey(
  table: string,
  columns: string | readonly string[],
  target: string,
  targetColumns: readonly string[] = ['id'],
): ForeignKey {
  const similarNames = typeof columns === 'string' ? [columns] : columns;
  const action: ReferentialAction = 'RESTRICT';
  const name = `fk_${table}_${similarNames.join('_')}_${target}`;
  return {
    name,
    columns: similarNames,
    referencedTable: target,
    referencedColumns: targetColumns,
    onDelete: action,
    onUpdate: action,
    definition: `CONSTRAINT \`${name}\` FOREIGN KEY (\`${similarNames.join('`,`')}\`) REFERENCES \`${target}\` (\`${targetColumns.join('`,`')}\`)`,
  };
}
