// @ts-check
import { makeRandomSchema, toSchemaSql } from '@rowhouse/schema-model/testing';
import { createRandom, quoteName } from '../sql-files/hostile-text.mjs';
import { EXTRA_COLUMNS, makeValue } from './make-values.mjs';

/** @typedef {'mariadb' | 'mysql'} Engine */
/** @typedef {import('@rowhouse/schema-model/testing').SchemaSketch['tables'][number]} TableSketch */

const ROWS_MAX = 8;

/**
 * Creates the statements of several schemas in one database. Each table name starts with the seed of its
 * schema.
 * @param {Engine} engine
 * @param {number} seed
 * @param {number} schemas
 */
export function makeBatch(engine, seed, schemas) {
  /** @type {string[]} */
  const statements = [];
  for (let index = 0; index < schemas; index += 1) statements.push(...makeSchema(engine, seed + index));
  return statements;
}

/** @param {Engine} engine @param {number} seed */
function makeSchema(engine, seed) {
  const random = createRandom(seed);
  const rename = (/** @type {string} */ name) => `${seed % 10_000}_${name}`.slice(0, 60);
  const sketch = makeRandomSchema(seed, { engine, tables: 4 });
  const tables = sketch.tables.map((table) => ({
    ...table,
    name: rename(table.name),
    foreignKeys: table.foreignKeys.map((key) => ({ ...key, table: rename(key.table) })),
  }));
  const creates = toSchemaSql({ ...sketch, tables })
    .split(/;\n\n?(?=CREATE TABLE|$)/)
    .filter((sql) => sql.trim() !== '');
  return tables.flatMap((table, index) => {
    const extra = random.chance(0.5) ? EXTRA_COLUMNS : [];
    const hidden = random.chance(0.3)
      ? [engine === 'mysql' ? 'x_dark int DEFAULT 1 INVISIBLE' : 'x_dark int INVISIBLE DEFAULT 1']
      : [];
    const adds = [...extra, ...hidden].map((column) => `ADD COLUMN ${column}`);
    const name = quoteName(table.name);
    return [
      creates[index] ?? '',
      ...(adds.length === 0 ? [] : [`ALTER TABLE ${name} ${adds.join(', ')}`]),
      ...makeRows(random, table, [...extra, ...hidden]),
      ...(random.chance(0.4) ? [`ALTER TABLE ${name} AUTO_INCREMENT = ${random.below(9_000) + 100}`] : []),
    ];
  });
}

/**
 * @param {ReturnType<typeof createRandom>} random
 * @param {TableSketch} table
 * @param {readonly string[]} extra
 */
function makeRows(random, table, extra) {
  const columns = [
    ...table.columns
      .filter((column) => column.generatedAs === null)
      .map(({ name, sqlType, nullable }) => ({ name, type: sqlType, nullable })),
    ...extra.map((text) => ({
      name: /** @type {string} */ (text.split(' ')[0]),
      type: text.slice(text.indexOf(' ') + 1),
      nullable: true,
    })),
  ];
  const names = columns.map((column) => quoteName(column.name)).join(', ');
  return Array.from({ length: random.below(ROWS_MAX + 1) }, (_, row) => {
    const values = columns.map((column) =>
      column.nullable && random.chance(0.2) ? 'NULL' : makeValue(random, column.type, row),
    );
    return `INSERT IGNORE INTO ${quoteName(table.name)} (${names}) VALUES (${values.join(', ')})`;
  });
}
