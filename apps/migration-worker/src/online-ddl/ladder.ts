import type { StepStrategy } from '@rowhouse/contracts';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';

/** A way to ask the server for an ALTER, so that it either makes the change in that way or refuses at once. */
export interface Rung {
  readonly strategy: Extract<StepStrategy, 'instant' | 'nocopy' | 'inplace' | 'copy_small'>;
  readonly clause: string;
}

/** Every row moves to another partition: no engine does that without a copy. */
const REPARTITION = /^(ALTER TABLE `(?:[^`]|``)+`) ((?:PARTITION BY|REMOVE PARTITIONING)\b)/;

/**
 * From the cheapest to the dearest that lets writes through. Never without ALGORITHM: left alone, the server falls back
 * to a copy that blocks writes. INSTANT takes no LOCK clause, since MySQL refuses the two together.
 */
export function listRungs(capabilities: EngineCapabilities, sql: string): Rung[] {
  // MariaDB accepts INSTANT for it and copies the table under a lock.
  if (REPARTITION.test(sql)) return [];
  return [
    { strategy: 'instant', clause: 'ALGORITHM=INSTANT' },
    ...(capabilities.alterNocopy ? [{ strategy: 'nocopy', clause: 'ALGORITHM=NOCOPY, LOCK=NONE' } as const] : []),
    { strategy: 'inplace', clause: 'ALGORITHM=INPLACE, LOCK=NONE' },
  ];
}

/** Blocks writes while it lasts: for small tables only. */
export const COPY_RUNG: Rung = { strategy: 'copy_small', clause: 'ALGORITHM=COPY' };
/** A table with fewer rows may be copied. */
export const COPY_ROWS_MAX = 1_500;

/** Unknown algorithm, not supported, not supported with a reason, too many instant versions of a row. */
const REFUSALS = new Set([1235, 1800, 1845, 1846, 4092]);

export function isRefusal(errno: number): boolean {
  return REFUSALS.has(errno);
}

/** MariaDB takes no ALGORITHM with a list of partitions, and either engine changes no row by it. */
const PARTITION_LIST = /^ALTER TABLE `(?:[^`]|``)+` (?:ADD|DROP) PARTITION /;

/** Whether the statement is an ALTER that takes an algorithm. */
export function isAlter(sql: string): boolean {
  return /^ALTER TABLE /.test(sql) && !PARTITION_LIST.test(sql);
}

/** The statement with a rung's clause: at its end, and ahead of partitions, behind which no server takes one. */
export function withClause(sql: string, { clause }: Rung): string {
  return REPARTITION.test(sql) ? sql.replace(REPARTITION, (_match, head: string, rest: string) => `${head} ${clause} ${rest}`) : `${sql}, ${clause}`;
}

const CONSTRAINT_ADD = /^ALTER TABLE `(?:[^`]|``)+` ADD CONSTRAINT (`(?:[^`]|``)+`) (FOREIGN KEY|CHECK)/;

/** Foreign keys and checks are added with checks off: that changes no row and reads none. */
export function isConstraintAdd(sql: string): boolean {
  return CONSTRAINT_ADD.test(sql);
}

/** What an ALTER that adds a constraint is called, and the specification that takes it back. Null for any other statement. */
export function readConstraintAdd(sql: string): { readonly strategy: 'add_foreign_key' | 'add_check'; readonly dropSpec: string } | null {
  const [, quoted = '', kind] = CONSTRAINT_ADD.exec(sql) ?? [];
  if (kind === undefined) return null;
  return kind === 'CHECK' ? { strategy: 'add_check', dropSpec: `DROP CONSTRAINT ${quoted}` } : { strategy: 'add_foreign_key', dropSpec: `DROP FOREIGN KEY ${quoted}` };
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
 * Runs an ALTER on an (empty) scratch table by the first rung that the server takes.
 * Faults other than a refused rung are thrown.
 */
export async function climbLadder(connection: AdminConnection, sql: string, capabilities: EngineCapabilities): Promise<Rung> {
  for (const rung of [...listRungs(capabilities, sql), COPY_RUNG]) {
    try {
      await connection.run(withClause(sql, rung));
      return rung;
    } catch (error) {
      const fault = readServerFault(error);
      if (fault === null || fault.isConnectionLost || !isRefusal(fault.errno)) throw error;
    }
  }
  // A copy refused as such (partition maintenance, say) leaves the server's own choice.
  await connection.run(sql);
  return COPY_RUNG;
}
