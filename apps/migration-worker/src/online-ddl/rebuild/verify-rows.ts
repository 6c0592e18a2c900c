import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@rowhouse/errors';
import { quoteName, quoteText } from '@rowhouse/mysql';
import { assertMayContinue, type Run } from '../run-state.js';
import { createThrottle } from '../locks/throttle.js';
import { isRowsLocked, withCopySession } from './copy-session.js';
import { copySql } from './copy-rows.js';
import { chunkColumns, compareKey, readKeyValue, toShadowColumns, writeKeyValue } from './key-column.js';
import type { ComparableColumn, KeyColumn, RebuildMember, RebuildPosition } from '@rowhouse/platform-store';
import type { RowWork } from './rebuild-notes.js';
import { makeRebuildNames } from './rebuild-names.js';

const CHUNK = { chunkMs: 12, rowsFirst: 250, rowsMin: 50, rowsMax: 10_000 };
const START: RebuildPosition = { at: 0, after: null, rowsDone: 0 };
const PASSES_MAX = 5;
/**
 * The number of passes if there is a late key. With such a key, cascades from other tables keep leaving rows
 * without a parent, which are repaired after the swap.
 */
const LATE_PASSES = 2;
const MENDS_PER_CHUNK_MAX = 500;
/**
 * The number of attempts to run a transaction on locked rows. After that, the run checks whether it may
 * continue.
 */
const ATTEMPTS_BETWEEN_LOOKS = 5;

/**
 * Compares the tables with their shadow tables row by row, and repairs differences until a pass finds none.
 * Each write changes both tables in the same transaction, so a consistent read finds them equal, however busy
 * they are.
 */
export async function verifyRows(work: RowWork): Promise<void> {
  const { run, step, details } = work;
  await run.connection.run('SET SESSION TRANSACTION ISOLATION LEVEL REPEATABLE READ');
  for (let pass = 1; pass <= PASSES_MAX; pass += 1) {
    const repaired = await verifyAll(pass === 1 ? work : { ...work, from: START });
    if (repaired === 0 || (pass === LATE_PASSES && details.innerKeys.some((key) => key.late !== null)))
      return;
    run.ctx.logger.info(
      { migration: run.migration.id, step, pass, rows: repaired },
      'rows of a rebuild were repaired',
    );
  }
  throw new AppError('schema.not_possible', {
    detail: 'The new table did not match the old one. Nothing was changed.',
    internal: `${PASSES_MAX} passes`,
  });
}

async function verifyAll({ run, step, details, from, note }: RowWork): Promise<number> {
  let repaired = 0;
  let { rowsDone } = from;
  for (const member of details.members.slice(from.at)) {
    const { shadow } = makeRebuildNames(run.migration.id, step, member.at);
    for (const side of listSides(member)) {
      const check = createCheck(member, shadow, side);
      const result = await walk(
        run,
        check,
        side === 'missing' && member.at === from.at ? from.after : null,
        async (after, rows) => {
          rowsDone += side === 'missing' ? rows : 0;
          await note({ at: member.at, after: side === 'missing' ? after : null, rowsDone });
        },
        (keys) => repair(run, member, shadow, side, keys),
      );
      repaired += result;
    }
  }
  return repaired;
}

/**
 * Lists the directions in which the tables are compared. A shadow table can have rows that its table does not
 * have only if cascades may have bypassed the capture triggers. If the key changes between number and text,
 * the query for such rows cannot use an index, so it runs only if it is necessary.
 */
function listSides(member: RebuildMember): ('missing' | 'extra')[] {
  const isCrossing = member.keyColumns.some(
    (column) =>
      column.castType !== null && /^(char|varchar)/.test(column.castType) !== (column.chunkBy === 'text'),
  );
  return isCrossing && !member.mayLag ? ['missing'] : ['missing', 'extra'];
}

/** One direction of the comparison: the table that is read, and the query for differing rows. */
interface RowComparison {
  readonly table: string;
  readonly index: string | null;
  readonly columns: readonly KeyColumn[];
  /**
   * A query for the keys of rows that differ. `{range}` is replaced by a condition on the table with the
   * alias `a`.
   */
  readonly sql: string;
}

function createCheck(member: RebuildMember, shadow: string, side: 'missing' | 'extra'): RowComparison {
  const { details, keyColumns } = member;
  const isMissing = side === 'missing';
  const columns = isMissing ? keyColumns : toShadowColumns(keyColumns);
  const [old, next] = isMissing ? ['a', 'b'] : ['b', 'a'];
  const joined = keyColumns
    .map(
      (column) => `${next}.${quoteName(column.to)} = ${castKey(column, `${old}.${quoteName(column.from)}`)}`,
    )
    .join(' AND ');
  const reads = columns
    .map((column, index) => `${readOffending(column, side, `a.${quoteName(column.from)}`)} AS v${index}`)
    .join(', ');
  const first = quoteName((isMissing ? details.shadowKey[0] : details.key[0]) ?? '');
  const differs = isMissing
    ? member.comparable.map(
        (column) => `NOT (${exact(column, 'a', column.from)} <=> ${exact(column, 'b', column.to)})`,
      )
    : [];
  const table = isMissing ? details.table : shadow;
  const index = isMissing ? member.keyIndex : null;
  const hint = index === null ? '' : ` FORCE INDEX (${quoteName(index)})`;
  return {
    table,
    index,
    columns,
    sql: `SELECT ${reads} FROM ${quoteName(table)} a${hint} LEFT JOIN ${quoteName(isMissing ? shadow : details.table)} b ON ${joined}
      WHERE {range} AND (${[`b.${first} IS NULL`, ...differs].join(' OR ')}) LIMIT ${MENDS_PER_CHUNK_MAX}`,
  };
}

function exact({ by }: ComparableColumn, alias: string, name: string): string {
  const value = `${alias}.${quoteName(name)}`;
  switch (by) {
    case 'value':
      return value;
    case 'bytes':
      return `CAST(${value} AS BINARY)`;
    case 'characters':
      return `CAST(CONVERT(${value} USING utf8mb4) AS BINARY)`;
    case 'absence':
      return `(${value} IS NULL)`;
  }
}

/** Returns an SQL expression for a key's value, in the form that `repair` expects. */
function readOffending(column: KeyColumn, side: 'missing' | 'extra', name: string): string {
  return column.chunkBy === null || isPlainText(column, side)
    ? `CAST(${name} AS CHAR)`
    : readKeyValue(column, name);
}

/**
 * Returns whether a key is passed as a text that both types accept. This is necessary for a key of the shadow
 * table if its type differs from that in the current table.
 */
function isPlainText(column: KeyColumn, side: 'missing' | 'extra'): boolean {
  return side === 'extra' && column.castType !== null;
}

/**
 * Casts the old key to text. Otherwise the server would compare numbers and texts as floating-point numbers,
 * and could not use an index.
 */
function castKey(column: KeyColumn, name: string): string {
  if (column.castType === null || !/^(char|varchar)/.test(column.castType) || column.chunkBy === 'text')
    return name;
  const collation = / COLLATE (\w+)$/.exec(column.castType)?.[1];
  const charset = / CHARACTER SET (\w+)/.exec(column.castType)?.[1];
  return charset === undefined || collation === undefined
    ? name
    : `CONVERT(CAST(${name} AS CHAR) USING ${charset}) COLLATE ${collation}`;
}

async function walk(
  run: Run,
  check: RowComparison,
  from: readonly string[] | null,
  note: (after: readonly string[] | null, rows: number) => Promise<void>,
  repairRows: (keys: readonly string[][]) => Promise<void>,
): Promise<number> {
  const columns = chunkColumns(check.columns);
  const throttle = createThrottle(CHUNK);
  let after = from;
  let repaired = 0;
  for (;;) {
    const startedAt = performance.now();
    const rows = throttle.rows;
    const { bound, offending } = await inspectChunk(run, check, columns, after, rows);
    if (offending.length > 0) await repairRows(offending);
    repaired += offending.length;
    // If the list of differing rows has the maximum length, there may be more, so the chunk is compared
    // again.
    if (offending.length < MENDS_PER_CHUNK_MAX) {
      if (bound === null) return repaired;
      after = bound;
    }
    const delayMs = throttle.done(performance.now() - startedAt, rows);
    run.ctx.failPoint('rebuild-look');
    await note(after, rows);
    await pause(delayMs);
  }
}

/** Reads the bound and runs the comparison in one consistent snapshot. */
async function inspectChunk(
  run: Run,
  check: RowComparison,
  columns: readonly KeyColumn[],
  after: readonly string[] | null,
  rows: number,
): Promise<{ bound: string[] | null; offending: string[][] }> {
  const { connection } = run;
  const hint = check.index === null ? '' : ` FORCE INDEX (${quoteName(check.index)})`;
  await connection.run('START TRANSACTION WITH CONSISTENT SNAPSHOT, READ ONLY');
  try {
    const where = after === null ? 'TRUE' : compareKey(columns, after, '>', 'a.');
    const reads = columns
      .map((column, index) => `${readKeyValue(column, `a.${quoteName(column.from)}`)} AS v${index}`)
      .join(', ');
    const order = columns.map((column) => `a.${quoteName(column.from)}`).join(', ');
    const [last] =
      columns.length === 0
        ? []
        : await connection.rows<Record<string, string>>(
            `SELECT ${reads} FROM ${quoteName(check.table)} a${hint} WHERE ${where} ORDER BY ${order} LIMIT 1 OFFSET ${rows - 1}`,
          );
    const bound = last === undefined ? null : columns.map((_column, index) => String(last[`v${index}`]));
    const range = bound === null ? where : `${where} AND ${compareKey(columns, bound, '<=', 'a.')}`;
    const found = await connection.rows<Record<string, string>>(check.sql.replace('{range}', () => range));
    return {
      bound,
      offending: found.map((row) => check.columns.map((_column, index) => String(row[`v${index}`]))),
    };
  } finally {
    if (!connection.isLost()) await connection.run('COMMIT');
  }
}

/**
 * Repairs rows that differ. It locks them in the table and copies them again, and removes rows that the table
 * no longer has.
 */
async function repair(
  run: Run,
  member: RebuildMember,
  shadow: string,
  side: 'missing' | 'extra',
  keys: readonly string[][],
): Promise<void> {
  await withCopySession(run, async () => {
    for (const key of keys) {
      const where = (alias: string, name: (column: KeyColumn) => string): string =>
        member.keyColumns
          .map(
            (column, index) =>
              `${alias}${quoteName(name(column))} = ${literal(isPlainText(column, side) ? null : column, key[index] ?? '')}`,
          )
          .join(' AND ');
      const inShadow = where('', (column) => column.to);
      const statements =
        side === 'missing'
          ? [
              `DELETE FROM ${quoteName(shadow)} WHERE ${inShadow}`,
              copySql(
                run,
                member,
                shadow,
                where('t.', (column) => column.from),
              ),
            ]
          : [
              `DELETE FROM ${quoteName(shadow)} WHERE ${inShadow} AND NOT EXISTS (SELECT 1 FROM ${quoteName(member.details.table)} t WHERE ${where('t.', (column) => column.from)} FOR UPDATE)`,
            ];
      await inTransaction(run, statements);
    }
  });
}

function literal(column: KeyColumn | null, text: string): string {
  return column === null || column.chunkBy === null ? quoteText(text) : writeKeyValue(column, text);
}

/**
 * Runs statements in a transaction, and repeats it until it succeeds. The rows may be locked by a tenant's
 * transaction, and the run may have to end before they are free.
 */
async function inTransaction(run: Run, statements: readonly string[]): Promise<void> {
  const { connection } = run;
  for (let attempts = 1; ; attempts += 1) {
    await connection.run('START TRANSACTION');
    try {
      for (const statement of statements) await connection.run(statement);
      await connection.run('COMMIT');
      return;
    } catch (error) {
      if (!connection.isLost()) await connection.run('ROLLBACK');
      if (!isRowsLocked(error)) throw error;
      if (attempts % ATTEMPTS_BETWEEN_LOOKS === 0) await assertMayContinue(run);
      await pause(20);
    }
  }
}
