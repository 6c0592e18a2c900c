import { quoteName } from '../../sql-text.js';
import type { EngineKind } from '../../types.js';
import type { Random } from '../open-random.js';
import { checkSql, COLUMN_NAMES, keySql, makeColumn, makeIndex } from './make-table.js';
import {
  columnSql,
  dropColumn,
  indexColumnsSql,
  isText,
  placeColumn,
  renameColumn,
  renameColumns,
  type ColumnState,
  type SequenceState,
  type TableState,
} from './sequence-state.js';

/**
 * The input for a clause of ALTER TABLE. The function that creates the clause also applies it to the state.
 */
export interface ClauseContext {
  readonly random: Random;
  readonly state: SequenceState;
  readonly prefix: string;
  readonly engine: EngineKind;
  readonly table: TableState;
  /** The columns that earlier clauses of the same ALTER name. A server accepts each column only once. */
  readonly used: Set<string>;
}

/** Returns a clause of ALTER TABLE. Returns null if there is nothing that the clause could change. */
export type Clause = (context: ClauseContext) => string | null;

const WIDER: Readonly<Record<string, readonly string[]>> = {
  'varchar(40)': ['varchar(80)', 'char(40)', 'varchar(20)', 'text'],
  'varchar(60)': ['varchar(40)', 'varchar(255)'],
  'char(40)': ['varchar(40)', 'varchar(60)'],
  int: ['bigint', 'int unsigned', 'varchar(40)'],
  bigint: ['int', 'varchar(40)'],
};

function pickColumn(
  { random, table, used }: ClauseContext,
  fits: (column: ColumnState) => boolean = () => true,
): ColumnState | null {
  const free = table.columns.filter((column) => !used.has(column.name) && fits(column));
  if (free.length === 0) return null;
  const column = random.pick(free);
  used.add(column.name);
  return column;
}

function pickFreeName({ random, table, used }: ClauseContext): string | null {
  const free = COLUMN_NAMES.filter(
    (name) => !used.has(name) && !table.columns.some((column) => column.name === name),
  );
  return free.length === 0 ? null : random.pick(free);
}

/**
 * Chooses a position for a column. The result is the name of the column before it, null for the first
 * position, or undefined to keep the current position.
 */
function pickPosition({ random, table, used }: ClauseContext, chance: number): string | null | undefined {
  if (!random.maybe(chance)) return undefined;
  if (random.maybe(0.3)) return null;
  const free = table.columns.filter((column) => !used.has(column.name));
  return free.length === 0 ? null : random.pick(free).name;
}

/**
 * Changes the type, default, nullability or comment of a column. The id column keeps its type, because other
 * tables refer to it.
 */
function redefine({ random, state, table }: ClauseContext, column: ColumnState): void {
  if (random.maybe(0.3)) column.comment = random.maybe(0.3) ? '' : `m${(state.count += 1)}`;
  if (column.isAdded || column.refers !== null) return;
  if (table.primary.includes(column.name)) {
    if (column.type === 'int' && random.maybe(0.4)) column.auto = !column.auto;
    return;
  }
  const types = WIDER[column.type];
  if (types !== undefined && random.maybe(0.4)) {
    column.type = random.pick(types);
    if (column.defaultSql !== null) column.defaultSql = null;
  }
  if (random.maybe(0.3)) column.nullable = !column.nullable;
  if (column.type !== 'text' && random.maybe(0.3)) column.defaultSql = defaultSql(random, column);
}

function defaultSql(random: Random, column: ColumnState): string | null {
  if (random.maybe(0.4)) return null;
  return isText(column) ? `'d${random.integer(1_000)}'` : String(900_000 + random.integer(1_000));
}

const ifExists = ({ random, engine }: ClauseContext): string =>
  engine === 'mariadb' && random.maybe(0.1) ? 'IF EXISTS ' : '';
const ifAbsent = ({ random, engine }: ClauseContext): string =>
  engine === 'mariadb' && random.maybe(0.1) ? 'IF NOT EXISTS ' : '';

function addColumn(context: ClauseContext): string | null {
  const { random, table, used } = context;
  const name = pickFreeName(context);
  if (name === null) return null;
  used.add(name);
  const column = { ...makeColumn(random, table, name), isAdded: true };
  const position = pickPosition(context, 0.5);
  return `ADD COLUMN ${ifAbsent(context)}${columnSql(column)}${placeColumn(table, column, position)}`;
}

function removeColumn(context: ClauseContext): string | null {
  const { table } = context;
  if (table.columns.length < 3) return null;
  const column = pickColumn(context, ({ name }) => !table.primary.includes(name));
  if (column === null) return null;
  dropColumn(table, column.name);
  return `DROP COLUMN ${ifExists(context)}${quoteName(column.name)}`;
}

function renameOne(context: ClauseContext): string | null {
  const column = pickColumn(context);
  const name = pickFreeName(context);
  if (column === null || name === null) return null;
  context.used.add(name);
  const from = column.name;
  renameColumn(context.table, from, name);
  return `RENAME COLUMN ${quoteName(from)} TO ${quoteName(name)}`;
}

/** Returns a `CHANGE` clause with a new definition of a column and, sometimes, a new position. */
function changeColumn(context: ClauseContext): string | null {
  const column = pickColumn(context);
  const name = context.random.maybe(0.8) ? pickFreeName(context) : (column?.name ?? null);
  if (column === null || name === null) return null;
  context.used.add(name);
  const from = column.name;
  const position = pickPosition(context, 0.3);
  if (context.random.maybe(0.5)) redefine(context, column);
  renameColumn(context.table, from, name);
  return `CHANGE COLUMN ${quoteName(from)} ${columnSql(column)}${placeColumn(context.table, column, position)}`;
}

function modifyColumn(context: ClauseContext): string | null {
  const column = pickColumn(context);
  if (column === null) return null;
  const position = pickPosition(context, 0.4);
  redefine(context, column);
  return `MODIFY COLUMN ${ifExists(context)}${columnSql(column)}${placeColumn(context.table, column, position)}`;
}

/** Exchanges the names of two or three columns with CHANGE or RENAME COLUMN. */
function rotateColumns(context: ClauseContext): string | null {
  const { random, table } = context;
  const picked: ColumnState[] = [];
  for (let remaining = random.maybe(0.3) ? 3 : 2; remaining > 0; remaining -= 1) {
    const column = pickColumn(context, ({ name }) => !table.primary.includes(name) || random.maybe(0.1));
    if (column === null) return null;
    picked.push(column);
  }
  const names = picked.map((column) => column.name);
  const next = new Map(names.map((name, index) => [name, names[(index + 1) % names.length] ?? name]));
  renameColumns(table, next);
  const isChange = random.maybe(0.4);
  return picked
    .map((column, index) =>
      isChange
        ? `CHANGE ${quoteName(names[index] ?? '')} ${columnSql(column)}`
        : `RENAME COLUMN ${quoteName(names[index] ?? '')} TO ${quoteName(column.name)}`,
    )
    .join(', ');
}

/**
 * Gives the name of one column to another. It drops the first and renames the second, or renames the first
 * and adds a new column.
 */
function takeName(context: ClauseContext): string | null {
  const { random, table } = context;
  const [columnState, other] = [
    pickColumn(context, ({ name }) => !table.primary.includes(name)),
    pickColumn(context),
  ];
  if (columnState === null || other === null) return null;
  if (random.maybe(0.5)) {
    dropColumn(table, columnState.name);
    const from = other.name;
    renameColumn(table, from, columnState.name);
    return `DROP COLUMN ${quoteName(columnState.name)}, RENAME COLUMN ${quoteName(from)} TO ${quoteName(columnState.name)}`;
  }
  const name = pickFreeName(context);
  if (name === null) return null;
  context.used.add(name);
  const from = columnState.name;
  renameColumn(table, from, name);
  const added = { ...makeColumn(random, table, from), isAdded: true };
  table.columns.push(added);
  return `RENAME COLUMN ${quoteName(from)} TO ${quoteName(name)}, ADD COLUMN ${columnSql(added)}`;
}

/** Drops a column and adds another with the same name in the same statement. */
function replaceColumn(context: ClauseContext): string | null {
  const { random, table } = context;
  const column = pickColumn(context, ({ name }) => !table.primary.includes(name));
  if (column === null || table.columns.length < 3) return null;
  const added = random.maybe(0.4) ? { ...column } : makeColumn(random, table, column.name);
  dropColumn(table, column.name);
  const next = { ...added, isAdded: true, refers: null };
  table.columns.push(next);
  return `DROP COLUMN ${quoteName(column.name)}, ADD COLUMN ${columnSql(next)}`;
}

function changeDefault(context: ClauseContext): string | null {
  const column = pickColumn(
    context,
    ({ isAdded, type, auto, refers }) => !isAdded && type !== 'text' && !auto && refers === null,
  );
  if (column === null) return null;
  column.defaultSql = defaultSql(context.random, column);
  // CREATE TABLE cannot define a nullable column without any default.
  if (column.defaultSql === null && column.nullable)
    return `ALTER COLUMN ${quoteName(column.name)} SET DEFAULT NULL`;
  const change = column.defaultSql === null ? 'DROP DEFAULT' : `SET DEFAULT ${column.defaultSql}`;
  return `ALTER COLUMN ${quoteName(column.name)} ${change}`;
}

function addIndex(context: ClauseContext): string | null {
  const { random, table } = context;
  const index = makeIndex(random, context.state, table, random.maybe(0.2));
  table.indexes.push(index);
  const words = index.unique ? 'UNIQUE INDEX' : 'INDEX';
  return `ADD ${words} ${ifAbsent(context)}${quoteName(index.name)} ${indexColumnsSql(table, index.columns)}`;
}

function dropIndex({ random, table }: ClauseContext): string | null {
  if (table.indexes.length === 0) return null;
  const index = random.pick(table.indexes);
  table.indexes = table.indexes.filter((other) => other !== index);
  return `DROP INDEX ${quoteName(index.name)}`;
}

function renameIndex({ random, state, table }: ClauseContext): string | null {
  if (table.indexes.length === 0) return null;
  const index = random.pick(table.indexes);
  const from = index.name;
  index.name = `ix${(state.count += 1)}`;
  return `RENAME INDEX ${quoteName(from)} TO ${quoteName(index.name)}`;
}

function addKey({ random, state, prefix, table }: ClauseContext): string | null {
  const columns = table.columns.filter((column) => column.refers !== null);
  if (columns.length === 0) return null;
  const column = random.pick(columns);
  const target = state.tables.find((other) => other.origin === column.refers);
  if (target === undefined || target === table) return null;
  const key = { name: `fk${(state.count += 1)}`, column: column.name, table: target.name };
  table.keys.push(key);
  return `ADD ${keySql(state, key, prefix)}`;
}

function dropKey({ random, prefix, table }: ClauseContext): string | null {
  if (table.keys.length === 0) return null;
  const key = random.pick(table.keys);
  table.keys = table.keys.filter((other) => other !== key);
  return `DROP FOREIGN KEY ${quoteName(prefix + key.name)}`;
}

function addCheck(context: ClauseContext): string | null {
  const column = pickColumn(context);
  if (column === null) return null;
  const check = { name: `ck${(context.state.count += 1)}`, column: column.name };
  context.table.checks.push(check);
  return `ADD CONSTRAINT ${quoteName(context.prefix + check.name)} CHECK (${checkSql(context.table, column.name)})`;
}

function dropCheck({ random, prefix, table }: ClauseContext): string | null {
  if (table.checks.length === 0) return null;
  const check = random.pick(table.checks);
  table.checks = table.checks.filter((other) => other !== check);
  return `DROP CONSTRAINT ${quoteName(prefix + check.name)}`;
}

function movePrimary(context: ClauseContext): string | null {
  const column = pickColumn(
    context,
    ({ nullable, name, type }) => !nullable && type !== 'text' && !context.table.primary.includes(name),
  );
  if (column === null) return null;
  // MariaDB leaves a foreign key without the index to which it refers, and a deploy rejects such a schema.
  // Only a few sequences should contain this case.
  const isReferred = context.state.tables.some(({ keys }) =>
    keys.some((key) => key.table === context.table.name),
  );
  if (context.engine === 'mariadb' && isReferred && !context.random.maybe(0.1)) return null;
  context.table.primary = [column.name];
  return `DROP PRIMARY KEY, ADD PRIMARY KEY (${quoteName(column.name)})`;
}

const comment: Clause = ({ state }) => `COMMENT = 'c${(state.count += 1)}'`;
const counter: Clause = ({ random, table }) =>
  table.columns.some(({ auto }) => auto) ? `AUTO_INCREMENT = ${6_000_000 + random.integer(1_000_000)}` : null;

/** The clauses of ALTER TABLE, with their names and probability weights. */
export const CLAUSES: readonly (readonly [string, number, Clause])[] = [
  ['rename column', 10, renameOne],
  ['rotate columns', 7, rotateColumns],
  ['take name', 7, takeName],
  ['replace column', 3, replaceColumn],
  ['change column', 7, changeColumn],
  ['modify column', 7, modifyColumn],
  ['add column', 7, addColumn],
  ['drop column', 6, removeColumn],
  ['change default', 2, changeDefault],
  ['add index', 4, addIndex],
  ['drop index', 3, dropIndex],
  ['rename index', 2, renameIndex],
  ['add key', 3, addKey],
  ['drop key', 2, dropKey],
  ['add check', 2, addCheck],
  ['drop check', 1, dropCheck],
  ['move primary', 1, movePrimary],
  ['comment', 1, comment],
  ['counter', 1, counter],
];
