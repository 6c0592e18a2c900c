import type { Column, ForeignKey, Index, Snapshot, Table, ValueKind } from '@rowhouse/schema-model';

const KINDS: Readonly<Record<string, ValueKind>> = {
  int: 'integer',
  bigint: 'integer',
  smallint: 'integer',
  varchar: 'string',
  text: 'string',
  decimal: 'decimal',
  enum: 'enum',
  datetime: 'datetime',
  timestamp: 'timestamp',
};
const DIGITS: Readonly<Record<string, number>> = { int: 10, bigint: 19, smallint: 5 };

/**
 * Converts a definition such as `int NOT NULL DEFAULT 3` to a column in the form in which MariaDB describes
 * it, with the details that planning needs.
 */
export function makeColumn(name: string, definition: string): Column {
  const [, type = '', size] = /^(\w+)(?:\(([^)]*)\))?/.exec(definition) ?? [];
  const literal = /DEFAULT ('[^']*'|[\w()]+)/.exec(definition)?.[1];
  const isNullable = !/NOT NULL/.test(definition);
  const numbers = (size ?? '').split(',').map(Number);
  return {
    name,
    type,
    sqlType: size === undefined ? type : `${type}(${size})`,
    valueKind: KINDS[type] ?? 'string',
    nullable: isNullable,
    default:
      literal === undefined || literal === 'NULL'
        ? { kind: isNullable ? 'null' : 'none' }
        : { kind: 'literal', text: literal.replaceAll("'", '') },
    autoIncrement: /AUTO_INCREMENT/.test(definition),
    generated: /GENERATED/.test(definition) ? 'virtual' : null,
    invisible: false,
    unsigned: /unsigned/.test(definition),
    maxLength: type === 'varchar' ? (numbers[0] ?? null) : type === 'text' ? 65_535 : null,
    precision: DIGITS[type] ?? (type === 'decimal' ? (numbers[0] ?? null) : null),
    scale: type === 'decimal' ? (numbers[1] ?? 0) : null,
    fraction: type === 'datetime' ? (Number.isNaN(numbers[0]) ? 0 : (numbers[0] ?? 0)) : null,
    charset: null,
    collation: null,
    labels: type === 'enum' ? [...(size ?? '').matchAll(/'([^']*)'/g)].map((match) => match[1] ?? '') : null,
    onUpdateNow: false,
    comment: '',
    format: null,
    definition,
  };
}

/**
 * Creates a table from lines in the form of CREATE TABLE: `a int NOT NULL`, `PRIMARY KEY (a)`, `UNIQUE KEY u
 * (a)`, `KEY k (a)`, `CONSTRAINT f FOREIGN KEY (a) REFERENCES t (id)`, `CONSTRAINT c CHECK (a > 0)`.
 */
export function makeTable(name: string, lines: readonly string[], options = 'ENGINE=InnoDB'): Table {
  const columns: Column[] = [];
  const indexes: Index[] = [];
  const foreignKeys: ForeignKey[] = [];
  const checks: Table['checks'][number][] = [];
  const quoted = (names: string): string =>
    names
      .split(',')
      .map((part) => `\`${part.trim()}\``)
      .join(',');
  const chunks = lines.map((line) => {
    const index = /^(PRIMARY KEY|UNIQUE KEY (\w+)|KEY (\w+)|FULLTEXT KEY (\w+)) \(([^)]+)\)$/.exec(line);
    const key = /^CONSTRAINT (\w+) FOREIGN KEY \((\w+)\) REFERENCES (\w+) \((\w+)\)$/.exec(line);
    const check = /^CONSTRAINT (\w+) CHECK \((.+)\)$/.exec(line);
    if (index !== null) {
      const indexName = index[2] ?? index[3] ?? index[4] ?? 'PRIMARY';
      const word = (index[1] ?? '').replace(/ \w+$/, (tail) => (indexName === 'PRIMARY' ? tail : ''));
      const definition = `${word}${indexName === 'PRIMARY' ? '' : ` \`${indexName}\``} (${quoted(index[5] ?? '')})`;
      indexes.push({
        name: indexName,
        unique: /PRIMARY|UNIQUE/.test(word),
        kind: /FULLTEXT/.test(word) ? 'fulltext' : 'btree',
        definition,
        columns: (index[5] ?? '')
          .split(',')
          .map((part) => ({ name: part.trim(), prefixLength: null, descending: false })),
      });
      return definition;
    }
    if (key !== null) {
      const [, keyName = '', column = '', table = '', target = ''] = key;
      const definition = `CONSTRAINT \`${keyName}\` FOREIGN KEY (\`${column}\`) REFERENCES \`${table}\` (\`${target}\`)`;
      foreignKeys.push({
        name: keyName,
        columns: [column],
        referencedTable: table,
        referencedColumns: [target],
        onDelete: 'RESTRICT',
        onUpdate: 'RESTRICT',
        definition,
      });
      return definition;
    }
    if (check !== null) {
      const definition = `CONSTRAINT \`${check[1]}\` CHECK (${check[2]})`;
      checks.push({ name: check[1] ?? '', clause: check[2] ?? '', definition });
      return definition;
    }
    const [, column = '', definition = ''] = /^(\w+) (.+)$/.exec(line) ?? [];
    columns.push(makeColumn(column, definition));
    return `\`${column}\` ${definition}`;
  });
  indexes.sort(
    (a, b) => Number(b.name === 'PRIMARY') - Number(a.name === 'PRIMARY') || (a.name < b.name ? -1 : 1),
  );
  const primaryKey =
    indexes.find((index) => index.name === 'PRIMARY')?.columns.map((part) => part.name ?? '') ?? null;
  return {
    name,
    kind: 'table',
    path: name,
    comment: '',
    collation: null,
    columns,
    primaryKey,
    rowKey: primaryKey,
    indexes,
    foreignKeys,
    checks,
    relationships: [],
    createSql: `CREATE TABLE \`${name}\` (\n  ${chunks.join(',\n  ')}\n) ${options}`,
  };
}

export function makeView(name: string, select: string, columns: readonly string[]): Table {
  return {
    ...makeTable(
      name,
      columns.map((column) => `${column} int`),
    ),
    kind: 'view',
    primaryKey: null,
    rowKey: null,
    createSql: `CREATE ALGORITHM=UNDEFINED SQL SECURITY DEFINER VIEW \`${name}\` AS ${select}`,
  };
}

export function makeSnapshot(...tables: readonly Table[]): Snapshot {
  return { format: 1, engine: 'mariadb', tables: [...tables].sort((a, b) => (a.name < b.name ? -1 : 1)) };
}
