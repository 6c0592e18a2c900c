import { quoteName } from '../../sql-text.js';
import type { EngineKind } from '../../types.js';
import { openRandom, type Random } from '../open-random.js';
import { CLAUSES, type ClauseContext } from './alter-clauses.js';
import { baseRowsSql, createSql, laterRowSql, makeTable } from './make-table.js';
import { copyOf, renameTables, type SequenceState, type TableState } from './sequence-state.js';

/**
 * A statement that the model proposes. The model changes only after the server has accepted the statement.
 */
export interface ProposedStatement {
  readonly kind: string;
  readonly sql: string;
  /** Applies the statement to the model. Called after the server has accepted the statement. */
  accept(): void;
}

export interface ChangeSequence {
  /** The statements that create the tables and insert their rows. */
  readonly base: readonly { readonly create: string; readonly rows: string }[];
  next(): ProposedStatement;
  /** Returns one INSERT for each table, for its current columns. */
  rows(): string[];
}

export interface SequenceOptions {
  readonly engine: EngineKind;
  readonly seed: number;
  /**
   * A prefix for the names of all tables and constraints. With different prefixes, several sequences can use
   * the same database.
   */
  readonly prefix?: string;
  /** The kinds of statements and clauses to omit. */
  readonly without?: readonly string[];
}

const TABLES = 6;
/** The names that tables can have. There are more names than tables, so that free names are used again. */
const TABLE_NAMES = ['t1', 't2', 't3', 't4', 't5', 't6', 't7', 't8'];

type Statement = (context: SequenceContext) => string | null;

interface SequenceContext {
  readonly random: Random;
  readonly state: SequenceState;
  readonly prefix: string;
  readonly engine: EngineKind;
  readonly without: readonly string[];
}

/**
 * Starts a random sequence of schema changes with six tables. The sequence depends only on the seed, provided
 * that the server accepts the same statements.
 */
export function openChangeSequence({
  engine,
  seed,
  prefix = '',
  without = [],
}: SequenceOptions): ChangeSequence {
  const random = openRandom(seed);
  let state: SequenceState = { tables: [], count: 0 };
  const base: { create: string; rows: string }[] = [];
  for (let index = 0; index < TABLES; index += 1) {
    const table = makeTable(random, state, prefix + (TABLE_NAMES[index] ?? ''));
    state.tables.push(table);
    base.push({ create: createSql(state, table, { prefix }), rows: baseRowsSql(table, prefix) });
  }
  return {
    base,
    next() {
      for (;;) {
        const [kind, statement] = pickWeighted(
          random,
          STATEMENTS.filter(([name]) => !without.includes(name)),
        );
        const draft = copyOf(state);
        const sql = statement({ random, state: draft, prefix, engine, without });
        if (sql === null) continue;
        return { kind, sql, accept: () => void (state = draft) };
      }
    },
    rows: () => state.tables.map((table) => laterRowSql(state, table, prefix)),
  };
}

function pickWeighted<T>(
  random: Random,
  choices: readonly (readonly [string, number, T])[],
): readonly [string, T] {
  let index = random.integer(choices.reduce((sum, [, weight]) => sum + weight, 0));
  for (const [name, weight, choice] of choices) {
    index -= weight;
    if (index < 0) return [name, choice];
  }
  throw new Error('every kind is left out');
}

const freeNames = ({ state, prefix }: SequenceContext): string[] =>
  TABLE_NAMES.map((name) => prefix + name).filter(
    (name) => !state.tables.some((table) => table.name === name),
  );

function pickTable({ random, state }: SequenceContext): TableState | null {
  return state.tables.length === 0 ? null : random.pick(state.tables);
}

/** Returns an ALTER TABLE with one to three clauses. Sometimes one of them renames the table. */
function alterTable(context: SequenceContext): string | null {
  const { random, without } = context;
  const table = pickTable(context);
  if (table === null) return null;
  const choices = CLAUSES.filter(([name]) => !without.includes(name));
  const clauseContext: ClauseContext = { ...context, table, used: new Set() };
  const clauses: string[] = [];
  for (let remaining = random.maybe(0.6) ? 1 : 2 + random.integer(2); remaining > 0; remaining -= 1) {
    const clause = pickWeighted(random, choices)[1](clauseContext);
    if (clause !== null) clauses.push(clause);
  }
  if (clauses.length === 0 || crashesServer(context, clauses)) return null;
  const name = table.name;
  const [free] = freeNames(context);
  // If the ALTER copies the table, MariaDB does not adapt the foreign keys of other tables to its new name.
  const isReferred = context.state.tables.some(({ keys }) => keys.some((key) => key.table === name));
  if (free !== undefined && random.maybe(0.06) && !isReferred && !without.includes('rename table')) {
    renameTables(context.state, new Map([[name, free]]));
    clauses.splice(random.integer(clauses.length + 1), 0, `RENAME TO ${quoteName(free)}`);
  }
  return `ALTER TABLE ${quoteName(name)} ${clauses.join(', ')}`;
}

/**
 * Returns whether the ALTER exchanges columns and adds an index. If an earlier ALTER has added a column
 * instantly, MariaDB 10.11 reads the wrong column for the index and crashes. A deploy sends two statements.
 */
function crashesServer({ engine }: SequenceContext, clauses: readonly string[]): boolean {
  return (
    engine === 'mariadb' &&
    clauses.some((clause) => /^(?:RENAME COLUMN|CHANGE) .*, (?:RENAME COLUMN|CHANGE) /.test(clause)) &&
    clauses.some((clause) => /^ADD (?:UNIQUE )?INDEX /.test(clause))
  );
}

function renameTable(context: SequenceContext): string | null {
  const { random, state } = context;
  const table = pickTable(context);
  const free = freeNames(context);
  if (table === null || free.length === 0) return null;
  const [from, to] = [table.name, random.pick(free)];
  renameTables(state, new Map([[from, to]]));
  return random.maybe(0.5)
    ? `RENAME TABLE ${quoteName(from)} TO ${quoteName(to)}`
    : `ALTER TABLE ${quoteName(from)} RENAME TO ${quoteName(to)}`;
}

/** Exchanges the names of two or three tables with the help of a temporary name. */
function rotateTables(context: SequenceContext): string | null {
  const { random, state, prefix } = context;
  const names = state.tables.map((table) => table.name);
  const picked: string[] = [];
  for (let remaining = random.maybe(0.3) ? 3 : 2; remaining > 0 && names.length > 0; remaining -= 1) {
    picked.push(...names.splice(random.integer(names.length), 1));
  }
  if (picked.length < 2) return null;
  const spare = `${prefix}tmp`;
  const [first = ''] = picked;
  const moves: [string, string][] = [
    [first, spare],
    ...picked.slice(1).map((name, index): [string, string] => [name, picked[index] ?? '']),
  ];
  moves.push([spare, picked.at(-1) ?? '']);
  renameTables(
    state,
    new Map(picked.map((name, index) => [name, picked[(index + picked.length - 1) % picked.length] ?? name])),
  );
  return `RENAME TABLE ${moves.map(([from, to]) => `${quoteName(from)} TO ${quoteName(to)}`).join(', ')}`;
}

/** Renames several tables in one statement. The second table often gets the previous name of the first. */
function shiftTables(context: SequenceContext): string | null {
  const { random, state } = context;
  const [tableState, other] = [pickTable(context), pickTable(context)];
  const free = freeNames(context);
  if (tableState === null || other === null || tableState === other || free.length === 0) return null;
  const [first, second, to] = [tableState.name, other.name, random.pick(free)];
  renameTables(
    state,
    new Map([
      [first, to],
      [second, first],
    ]),
  );
  const moves = [
    [first, to],
    [second, first],
  ].map(([from = '', next = '']) => `${quoteName(from)} TO ${quoteName(next)}`);
  return `RENAME TABLE ${moves.join(', ')}`;
}

function createTable(context: SequenceContext): string | null {
  const { random, state, prefix, engine } = context;
  const free = freeNames(context);
  if (random.maybe(0.1) && state.tables.length > 0) return createAgain(context);
  if (free.length === 0 || state.tables.length > TABLES) return null;
  const table = makeTable(random, state, random.pick(free));
  state.tables.push(table);
  const words = random.maybe(0.1)
    ? 'CREATE TABLE IF NOT EXISTS'
    : engine === 'mariadb' && random.maybe(0.1)
      ? 'CREATE OR REPLACE TABLE'
      : 'CREATE TABLE';
  return createSql(state, table, { prefix }, words);
}

/** Returns a CREATE TABLE for a table that exists. It has no effect or, on MariaDB, may replace the table. */
function createAgain(context: SequenceContext): string | null {
  const { random, state, prefix, engine } = context;
  const old = pickTable(context);
  if (old === null) return null;
  const isReplaced = engine === 'mariadb' && random.maybe(0.5);
  const draft = isReplaced ? state : copyOf(state);
  draft.tables = draft.tables.filter((table) => table.name !== old.name);
  const table = makeTable(random, draft, old.name);
  draft.tables.push(table);
  return createSql(
    draft,
    table,
    { prefix },
    isReplaced ? 'CREATE OR REPLACE TABLE' : 'CREATE TABLE IF NOT EXISTS',
  );
}

function createLike(context: SequenceContext): string | null {
  const { random, state } = context;
  const [table, free] = [pickTable(context), freeNames(context)];
  if (table === null || free.length === 0 || state.tables.length > TABLES) return null;
  const copy = {
    ...copyOf(table),
    name: random.pick(free),
    origin: (state.count += 1),
    keys: [],
    checks: [],
  };
  state.tables.push(copy);
  return `CREATE TABLE ${quoteName(copy.name)} LIKE ${quoteName(table.name)}`;
}

function dropTable(context: SequenceContext): string | null {
  const { random, state } = context;
  const table = pickTable(context);
  if (table === null || state.tables.length < 3) return null;
  state.tables = state.tables.filter((other) => other !== table);
  return `DROP TABLE ${random.maybe(0.2) ? 'IF EXISTS ' : ''}${quoteName(table.name)}`;
}

function dropAbsent(context: SequenceContext): string | null {
  const [free] = freeNames(context);
  return free === undefined ? null : `DROP TABLE IF EXISTS ${quoteName(free)}`;
}

const STATEMENTS: readonly (readonly [string, number, Statement])[] = [
  ['alter table', 60, alterTable],
  ['rename table', 10, renameTable],
  ['rotate tables', 6, rotateTables],
  ['shift tables', 5, shiftTables],
  ['create table', 10, createTable],
  ['create like', 1, createLike],
  ['drop table', 7, dropTable],
  ['drop absent', 1, dropAbsent],
];
