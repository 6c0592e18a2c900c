import { QUERY_CONTROLS } from '../query-words.js';
import { quoteName } from '../sql-text.js';
import type { EngineKind } from '../types.js';
import { openRandom, type Random } from './open-random.js';
import type { ColumnSketch, KeySketch, SchemaSketch, TableSketch } from './schema-sketch.js';

/** The column types that the data API supports, in the notation of COLUMN_TYPE. */
export const COLUMN_TYPES: Readonly<Record<EngineKind, readonly string[]>> = (() => {
  const both = [
    'tinyint(4)',
    'tinyint(3) unsigned',
    'smallint(6)',
    'smallint(5) unsigned',
    'mediumint(9)',
    'mediumint(8) unsigned',
    'int(11)',
    'int(10) unsigned',
    'bigint(20)',
    'bigint(20) unsigned',
    'decimal(10,2)',
    'decimal(5,0)',
    'decimal(12,4) unsigned',
    'decimal(65,30)',
    'float',
    'double',
    'bit(1)',
    'bit(9)',
    'bit(64)',
    'tinyint(1)',
    'year(4)',
    'char(5)',
    'varchar(50)',
    'varchar(255)',
    'tinytext',
    'text',
    'mediumtext',
    'longtext',
    "enum('new','paid','on hold','')",
    "set('red','green','blue')",
    'date',
    'datetime',
    'datetime(3)',
    'datetime(6)',
    'timestamp',
    'timestamp(6)',
    'time',
    'time(2)',
    'binary(4)',
    'varbinary(20)',
    'tinyblob',
    'blob',
    'json',
    'point',
    'linestring',
    'polygon',
    'geometry',
  ];
  return { mariadb: [...both, 'uuid', 'inet4', 'inet6'], mysql: [...both, 'vector(3)'] };
})();

/** Names of columns: words of the API's syntax, of SQL and of JavaScript, and ordinary names. */
const COLUMN_NAMES = [
  ...QUERY_CONTROLS.slice(0, 8),
  '_filter',
  '_q',
  '_count',
  '_cursor',
  '_batch',
  '_state',
  'total__gt',
  'name__like',
  'a__eq',
  'x__regex',
  '__',
  'select',
  'key',
  'group',
  'index',
  'desc',
  'null',
  'true',
  'default',
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'prototype',
  'odd name',
  'a.b',
  'a->b',
  'tick`ed',
  'back``ticks',
  "it's",
  'quo"te',
  'br[ack]et',
  'per%cent',
  'plus+',
  'amp&ersand',
  'eq=ual',
  'com,ma',
  'semi;colon',
  'sla/sh',
  'back\\slash',
  'has#hash',
  'quest?ion',
  'pi|pe',
  '{curly}',
  '$dollar',
  '-minus',
  '1st',
  '42',
  'Größe',
  'naïve',
  '名前',
  'ЦЕНА',
  'UPPER',
  'CamelCase',
  'kebab-case',
  'user',
  'users',
  'status',
  'email',
  'contact_email',
  'title',
  'amount',
  'created_at',
  'date_created',
  'uuid',
  'data',
  'type',
  'note',
  'count',
  'price',
  'code',
];
const TABLE_NAMES = [
  'users',
  'user',
  'posts',
  'post_tags',
  'post-tags',
  'order',
  'orders',
  'order_items',
  'status',
  'news',
  'data',
  'query',
  'schema',
  'health',
  'docs',
  'openapi',
  'mcp',
  '_hidden',
  '_tables',
  'error',
  'errors',
  'validation_error',
  'post_create',
  'posts_list',
  'increment',
  'select',
  'group',
  'Database',
  '__proto__',
  'constructor',
  'toString',
  '1st',
  '42',
  'UPPER',
  'CamelCase',
  'odd table',
  'tick`table',
  'a.b',
  'per%cent',
  'Größe',
  '名前',
  'with,comma',
  "it's",
  '[x]',
  '{id}',
  'a+b',
  'q?x',
  'h#x',
  'x&y',
];
const COMMENTS = [
  '',
  '',
  '',
  '',
  'What it is called.',
  'A "quoted" <b>remark</b> & more',
  "It's one\nin two lines",
  'Größe in cm',
];

/**
 * Creates a random schema with unusual names and all kinds of keys, references and types. It depends only on
 * the seed. `tables` is the maximum number of tables. If random names are equal, there are fewer.
 */
export function makeRandomSchema(
  seed: number,
  {
    engine = 'mariadb',
    tables: tablesMax = 8,
  }: { readonly engine?: EngineKind; readonly tables?: number } = {},
): SchemaSketch {
  const random = openRandom(seed);
  const tables: TableSketch[] = [];
  for (let index = 0; index < tablesMax; index += 1) {
    const name = random.maybe(0.8) ? random.pick(TABLE_NAMES) : `table_${random.integer(1_000)}`;
    // On some systems, the server treats table names as equal if they differ only in case.
    if (!tables.some((table) => table.name.toLowerCase() === name.toLowerCase()))
      tables.push(makeTable(random, engine, name, tables));
  }
  return { engine, tables };
}

function makeTable(
  random: Random,
  engine: EngineKind,
  name: string,
  earlier: readonly TableSketch[],
): TableSketch {
  const columns: ColumnSketch[] = [];
  const primaryKey = makeKey(random, columns);
  const foreignKeys = Array.from({ length: random.integer(3) }, () =>
    makeReference(random, columns, earlier),
  ).filter((key) => key !== null);
  const isLink = foreignKeys.length === 2 && random.maybe(0.5);
  const count = 1 + random.integer(12);
  for (let index = 0; index < count; index += 1) addColumn(columns, makeColumn(random, engine));
  if (random.maybe(0.3))
    addColumn(columns, {
      ...plain('twice', 'bigint(20)'),
      nullable: true,
      generatedAs:
        columns[0]?.sqlType === 'int(11)' && (engine === 'mariadb' || !columns[0].autoIncrement)
          ? `${quoteName(columns[0].name)} * 2`
          : '1 + 1',
    });
  const linked = isLink ? [...new Set(foreignKeys.flatMap((key) => key.columns))] : [];
  const isLinkKey =
    linked.length >= 2 &&
    linked.every((column) => columns.some((found) => found.name === column && !found.nullable));
  const wide = columns.filter(
    (column) =>
      /^(?:int|bigint|varchar)/.test(column.sqlType) &&
      column.generatedAs === null &&
      !primaryKey?.includes(column.name) &&
      column.defaultSql === null,
  );
  // MariaDB would choose a FULLTEXT index as the index that a foreign key requires, and then reject the
  // foreign key.
  const texts = columns
    .filter(
      (column) =>
        /^(?:varchar|text)/.test(column.sqlType) &&
        !foreignKeys.some((key) => key.columns.includes(column.name)),
    )
    .map((column) => column.name);
  const [firstWide] = wide;
  return {
    name,
    columns,
    primaryKey,
    foreignKeys,
    uniqueKeys: [
      ...(isLinkKey ? [linked] : []),
      ...(firstWide !== undefined && random.maybe(0.3) ? [[firstWide.name]] : []),
    ],
    fullTextOn: texts.length > 0 && random.maybe(0.4) ? [random.pick(texts)] : [],
  };
}

/**
 * Adds the columns of a primary key and returns their names. The key is an AUTO_INCREMENT number, a text or
 * two columns. Returns null for a table without a key.
 */
function makeKey(random: Random, columns: ColumnSketch[]): string[] | null {
  const kind = random.integer(10);
  if (kind < 6)
    addColumn(columns, {
      ...plain(
        random.maybe(0.8) ? 'id' : random.pick(COLUMN_NAMES),
        random.pick(['int(11)', 'bigint(20) unsigned']),
      ),
      autoIncrement: true,
    });
  else if (kind < 7) addColumn(columns, plain(random.pick(COLUMN_NAMES), 'varchar(50)'));
  else if (kind < 9)
    for (const part of ['int(11)', random.pick(['int(11)', 'varchar(50)', 'date'])])
      addColumn(columns, plain(random.pick(COLUMN_NAMES), part));
  return columns.length === 0 ? null : columns.map((column) => column.name);
}

function makeReference(
  random: Random,
  columns: ColumnSketch[],
  earlier: readonly TableSketch[],
): KeySketch | null {
  const parents = earlier.filter((table) => table.primaryKey !== null);
  if (parents.length === 0) return null;
  const parent = random.pick(parents);
  const referenced = parent.primaryKey ?? [];
  const nullable = random.maybe(0.5);
  const names = referenced.map((key) => {
    const type = parent.columns.find((column) => column.name === key)?.sqlType ?? 'int(11)';
    const name = random.maybe(0.7)
      ? `${parent.name.slice(0, 30)}_id`
      : `to_${parent.name.slice(0, 20)}_${random.integer(100)}`;
    return addColumn(columns, { ...plain(name, type), nullable }) ? name : null;
  });
  return names.some((name) => name === null)
    ? null
    : { columns: names.filter((name) => name !== null), table: parent.name, referenced };
}

function makeColumn(random: Random, engine: EngineKind): ColumnSketch {
  const sqlType = random.pick(COLUMN_TYPES[engine]);
  const column = { ...plain(random.pick(COLUMN_NAMES), sqlType), comment: random.pick(COMMENTS) };
  // Some servers add a default to a TIMESTAMP column that is NOT NULL and has no default.
  const nullable = /^timestamp/.test(sqlType) || random.maybe(0.5);
  if (column.name === 'uuid') return { ...column, sqlType: 'char(36)', nullable: false };
  if (/email/.test(column.name)) return { ...column, sqlType: 'varchar(100)', nullable };
  return { ...column, nullable, defaultSql: random.maybe(0.3) ? makeDefault(sqlType) : null };
}

function makeDefault(sqlType: string): string | null {
  if (/^year/.test(sqlType)) return '2026';
  if (/^(?:tinyint|smallint|mediumint|int|bigint|decimal|float|double)/.test(sqlType)) return '1';
  if (/^(?:datetime|timestamp)$/.test(sqlType)) return 'current_timestamp()';
  if (/^varchar/.test(sqlType)) return "'none'";
  if (/^enum/.test(sqlType)) return "'new'";
  return null;
}

function plain(name: string, sqlType: string): ColumnSketch {
  return {
    name,
    sqlType,
    nullable: false,
    defaultSql: null,
    autoIncrement: false,
    generatedAs: null,
    comment: '',
  };
}

/** Adds a column unless a column with this name exists. The engines ignore case in column names. */
function addColumn(columns: ColumnSketch[], column: ColumnSketch): boolean {
  if (columns.some((found) => found.name.toLowerCase() === column.name.toLowerCase())) return false;
  columns.push(column);
  return true;
}
