import { readMysqlError, type MysqlErrorKind } from '@rowhouse/errors';
import {
  quoteName,
  readServerFault,
  type AdminConnection,
  type AdminValue,
  type ServerFault,
} from '@rowhouse/mysql';
import type { SampleRow, SampleValue } from '@rowhouse/sample-rows';
import type { EngineKind, Table } from '@rowhouse/schema-model';

/** Rows that the engine rejected, by reason. */
export interface RejectedRows {
  readonly why: string;
  readonly rows: number;
}

const ROWS_PER_STATEMENT = 100;
/** The number of consecutive rejections after which the remaining rows of a table are not tried. */
const REFUSALS_IN_A_ROW_MAX = 20;

interface Target {
  readonly engine: EngineKind;
  readonly table: Table;
  readonly rows: readonly SampleRow[];
}

/**
 * Inserts many rows with one statement. If the server rejects a row, the rows are inserted one by one. An
 * error that is not caused by a row is thrown.
 */
export async function writeRows(connection: AdminConnection, target: Target): Promise<RejectedRows[]> {
  const rejected = new Map<string, number>();
  let inARow = 0;
  const note = (why: string, rows: number): void => void rejected.set(why, (rejected.get(why) ?? 0) + rows);
  for (let index = 0; index < target.rows.length; index += ROWS_PER_STATEMENT) {
    const chunk = target.rows.slice(index, index + ROWS_PER_STATEMENT);
    if ((await tryRows(connection, target, chunk)) === null) continue;
    for (const [done, row] of chunk.entries()) {
      const why = await tryRows(connection, target, [row]);
      inARow = why === null ? 0 : inARow + 1;
      if (why !== null) note(why, 1);
      if (why !== null && inARow === REFUSALS_IN_A_ROW_MAX) {
        const rest = target.rows.length - index - done - 1;
        if (rest > 0) note(why, rest);
        return toRejections(rejected);
      }
    }
  }
  return toRejections(rejected);
}

function toRejections(rejected: ReadonlyMap<string, number>): RejectedRows[] {
  return [...rejected].map(([why, rows]) => ({ why, rows }));
}

/** Inserts rows. Returns null on success, and otherwise the reason. */
async function tryRows(
  connection: AdminConnection,
  { engine, table }: Target,
  rows: readonly SampleRow[],
): Promise<string | null> {
  const [first] = rows;
  if (first === undefined) return null;
  const names = Object.keys(first);
  const values: AdminValue[] = [];
  const tuples = rows.map(
    (row) => `(${names.map((name) => placeValue(row[name] ?? null, engine, values)).join(', ')})`,
  );
  const columns = names.length === 0 ? '()' : `(${names.map(quoteName).join(', ')})`;
  try {
    await connection.run(
      `INSERT INTO ${quoteName(table.name)} ${columns} VALUES ${tuples.join(', ')}`,
      values,
    );
    return null;
  } catch (error) {
    const fault = readServerFault(error);
    const kind =
      fault === null || fault.isConnectionLost
        ? null
        : (readMysqlError(fault.errno, engine)?.kind ?? 'signal');
    if (
      fault === null ||
      kind === null ||
      kind === 'retry' ||
      kind === 'unavailable' ||
      kind === 'stale' ||
      kind === 'storage'
    )
      throw error;
    return explain(kind, fault, table);
  }
}

/** Returns the placeholder SQL for a value and appends the value to `values`. */
function placeValue(value: SampleValue, engine: EngineKind, values: AdminValue[]): string {
  if (value instanceof Uint8Array) values.push(Buffer.from(value));
  else if (typeof value !== 'object' || value === null) values.push(value);
  else {
    values.push(value.text);
    if (value.kind === 'vector') return engine === 'mariadb' ? 'VEC_FromText(?)' : 'STRING_TO_VECTOR(?)';
    return `ST_GeomFromText(?, ${value.srid})`;
  }
  return '?';
}

const WORDS: Readonly<Partial<Record<MysqlErrorKind, string>>> = {
  duplicate: 'a unique key already has these values',
  foreign_key_target: 'a foreign key references a missing row',
  not_null: 'a column must not be NULL',
  partition: 'there is no partition for them',
  broken: 'a trigger or a generated column failed',
  value: 'a value does not fit its column',
  expression: 'an expression of the table rejected a value',
  size: 'they are too large',
};

/**
 * Returns the reason for a rejected row. It does not contain the server's message, which may contain hidden
 * names.
 */
function explain(kind: MysqlErrorKind, { message }: ServerFault, table: Table): string {
  if (kind === 'signal') return `a trigger rejected them: ${message}`;
  const check = table.checks.find(
    (checkConstraint) =>
      message.includes(`'${checkConstraint.name}'`) ||
      message.includes(`\`${checkConstraint.name}\``) ||
      message.includes(`.${checkConstraint.name}`),
  );
  if (kind === 'check')
    return check === undefined
      ? 'a check constraint failed'
      : `the check ${check.name} failed: ${check.clause}`;
  const column = table.columns.find((column) => message.includes(`'${column.name}'`));
  const words = WORDS[kind] ?? 'the database rejected the row';
  return column === undefined ? words : `${words} (${column.name})`;
}
