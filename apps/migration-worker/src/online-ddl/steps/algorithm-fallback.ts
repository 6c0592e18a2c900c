import {
  NOT_SUPPORTED_YET,
  UNKNOWN_ALGORITHM,
  ALGORITHM_NOT_SUPPORTED,
  ALGORITHM_NOT_SUPPORTED_WITH_REASON,
  TOO_MANY_ROW_VERSIONS,
} from '@rowhouse/errors';
import type { StepStrategy } from '@rowhouse/contracts';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';

/** An algorithm for an ALTER. The server either uses it or rejects the statement at once. */
export interface AlgorithmOption {
  readonly strategy: Extract<StepStrategy, 'instant' | 'nocopy' | 'inplace' | 'copy_small'>;
  readonly clause: string;
}

/** Matches a change that moves every row to another partition. No engine makes this change without a copy. */
const REPARTITION = /^(ALTER TABLE `(?:[^`]|``)+`) ((?:PARTITION BY|REMOVE PARTITIONING)\b)/;

/**
 * Lists the algorithms that allow writes, from the cheapest to the most expensive. The statement always names
 * an algorithm, because the server would otherwise fall back to a copy that blocks writes. INSTANT has no
 * LOCK clause, because MySQL rejects both together.
 */
export function listAlgorithms(capabilities: EngineCapabilities, sql: string): AlgorithmOption[] {
  // MariaDB accepts INSTANT here but copies the table under a lock.
  if (REPARTITION.test(sql)) return [];
  return [
    { strategy: 'instant', clause: 'ALGORITHM=INSTANT' },
    ...(capabilities.alterNocopy
      ? [{ strategy: 'nocopy', clause: 'ALGORITHM=NOCOPY, LOCK=NONE' } as const]
      : []),
    { strategy: 'inplace', clause: 'ALGORITHM=INPLACE, LOCK=NONE' },
  ];
}

/** The copy algorithm. It blocks writes during the copy, so the worker uses it only for small tables. */
export const COPY_ALGORITHM: AlgorithmOption = { strategy: 'copy_small', clause: 'ALGORITHM=COPY' };
/** The row count up to which a table may be copied. */
export const COPY_ROWS_MAX = 1_500;

/**
 * The errors with which a server rejects an algorithm: it is unknown, not supported, not supported for a
 * given reason, or the rows have too many instant versions.
 */
const REJECTIONS = new Set([
  NOT_SUPPORTED_YET,
  UNKNOWN_ALGORITHM,
  ALGORITHM_NOT_SUPPORTED,
  ALGORITHM_NOT_SUPPORTED_WITH_REASON,
  TOO_MANY_ROW_VERSIONS,
]);

/**
 * Sends an ALTER with one algorithm after the other, from the cheapest to the most expensive. A rejection
 * happens before any change. Returns the first algorithm that the server accepts, or null if it rejects all
 * of them. Throws any other error of `send`.
 */
export async function tryAlgorithms(
  algorithms: readonly AlgorithmOption[],
  sql: string,
  send: (statement: string) => Promise<unknown>,
): Promise<AlgorithmOption | null> {
  for (const algorithm of algorithms) {
    try {
      await send(withClause(sql, algorithm));
      return algorithm;
    } catch (error) {
      if (!REJECTIONS.has(readServerFault(error)?.errno ?? 0)) throw error;
    }
  }
  return null;
}

/**
 * Matches a change of the partition list.
 * MariaDB accepts no ALGORITHM here, and neither engine changes a row.
 */
const PARTITION_LIST = /^ALTER TABLE `(?:[^`]|``)+` (?:ADD|DROP) PARTITION /;

/** Returns whether the statement is an ALTER for which an algorithm can be named. */
export function isAlter(sql: string): boolean {
  return /^ALTER TABLE /.test(sql) && !PARTITION_LIST.test(sql);
}

/**
 * Adds an algorithm's clause to the statement: at the end, or before a partition clause, because no server
 * accepts it after one.
 */
export function withClause(sql: string, { clause }: AlgorithmOption): string {
  return REPARTITION.test(sql)
    ? sql.replace(REPARTITION, (_match, head: string, rest: string) => `${head} ${clause} ${rest}`)
    : `${sql}, ${clause}`;
}

const CONSTRAINT_ADD = /^ALTER TABLE `(?:[^`]|``)+` ADD CONSTRAINT (`(?:[^`]|``)+`) (FOREIGN KEY|CHECK)/;

/**
 * Returns whether the statement adds a foreign key or check. Such a statement runs with checks turned off, so
 * the server neither reads nor changes rows.
 */
export function isConstraintAdd(sql: string): boolean {
  return CONSTRAINT_ADD.test(sql);
}

/**
 * Returns the strategy for an ALTER that adds a constraint, and the spec that reverses it.
 * Returns null for any other statement.
 */
export function readConstraintAdd(
  sql: string,
): { readonly strategy: 'add_foreign_key' | 'add_check'; readonly dropSpec: string } | null {
  const [, quoted = '', kind] = CONSTRAINT_ADD.exec(sql) ?? [];
  if (kind === undefined) return null;
  return kind === 'CHECK'
    ? { strategy: 'add_check', dropSpec: `DROP CONSTRAINT ${quoted}` }
    : { strategy: 'add_foreign_key', dropSpec: `DROP FOREIGN KEY ${quoted}` };
}

export const CHECKS_OFF_SQL = {
  mariadb: 'SET SESSION foreign_key_checks = 0, check_constraint_checks = 0',
  mysql: 'SET SESSION foreign_key_checks = 0',
} as const;
export const CHECKS_ON_SQL = {
  mariadb: 'SET SESSION foreign_key_checks = 1, check_constraint_checks = 1',
  mysql: 'SET SESSION foreign_key_checks = 1',
} as const;

/**
 * Runs an ALTER over a plain session, with the first algorithm that the server accepts, or with a copy if it
 * accepts none. If the server also rejects the copy, as for partition maintenance, the server chooses the
 * algorithm.
 */
export async function alterWithFirstAccepted(
  connection: AdminConnection,
  sql: string,
  capabilities: EngineCapabilities,
): Promise<AlgorithmOption> {
  const algorithms = [...listAlgorithms(capabilities, sql), COPY_ALGORITHM];
  const accepted = await tryAlgorithms(algorithms, sql, (statement) => connection.run(statement));
  if (accepted === null) await connection.run(sql);
  return accepted ?? COPY_ALGORITHM;
}
