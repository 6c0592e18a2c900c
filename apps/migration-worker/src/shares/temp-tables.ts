import type { AdminConnection } from '@rowhouse/mysql';
import type { EngineKind } from '@rowhouse/schema-model';
import type { ListedSession } from './list-sessions.js';

/** The minimum memory of a temporary table in bytes that MariaDB counts for its session. */
const SESSION_BYTES_PER_TABLE = 8_000;
/** The minimum memory of a table in InnoDB's dictionary. */
const DICTIONARY_BYTES_PER_TABLE = 2_000;
/** The number of table definitions that MariaDB opens for each temporary table. */
const DEFINITIONS_PER_TABLE = 2;

const DICTIONARY_SQL = `SELECT VARIABLE_VALUE AS bytes
  FROM information_schema.GLOBAL_STATUS WHERE VARIABLE_NAME = 'INNODB_MEM_DICTIONARY'`;
const DEFINITIONS_SQL = `SELECT t.PROCESSLIST_ID AS id, s.VARIABLE_VALUE AS definitions
  FROM performance_schema.status_by_thread s JOIN performance_schema.threads t ON t.THREAD_ID = s.THREAD_ID
  WHERE s.VARIABLE_NAME = 'Opened_table_definitions' AND t.PROCESSLIST_ID IS NOT NULL`;

export interface TempTablesInput {
  readonly engine: EngineKind;
  readonly listed: readonly ListedSession[];
  /** The number of temporary tables on the server up to which sessions are not counted. */
  readonly min: number;
  /** True for every fifth check, which reads values that change slowly. */
  readonly isLongCheck: boolean;
}

export interface TempTablesWatch {
  /**
   * Returns the maximum number of temporary tables that each session can have, or nothing while the server
   * has few tables. A temporary table of MariaDB takes 28 KB or more, of which only 8 KB count as memory of
   * its session. No view lists the tables. The number is therefore derived from two values that a session
   * cannot lower: the definitions it has opened, and its memory. MySQL counts the whole memory.
   */
  read(observer: AdminConnection, input: TempTablesInput): Promise<ReadonlyMap<number, number>>;
}

export function createTempTablesWatch(): TempTablesWatch {
  let hasMany = false;
  return {
    async read(observer, { engine, listed, min, isLongCheck }) {
      if (engine !== 'mariadb' || (!isLongCheck && !hasMany)) return new Map();
      const [row] = await observer.rows<{ bytes: number | string }>(DICTIONARY_SQL);
      hasMany = Number(row?.bytes ?? 0) > min * DICTIONARY_BYTES_PER_TABLE;
      if (!hasMany) return new Map();
      const memory = new Map(listed.map(({ id, memoryBytes }) => [id, memoryBytes]));
      const rows = await observer.rows<{ id: number | string; definitions: number | string }>(
        DEFINITIONS_SQL,
      );
      return new Map(
        rows.map(({ id, definitions }) => [
          Number(id),
          countTables(Number(definitions), memory.get(Number(id)) ?? 0),
        ]),
      );
    },
  };
}

function countTables(definitions: number, memoryBytes: number): number {
  return Math.floor(
    Math.min(definitions / DEFINITIONS_PER_TABLE, Math.max(0, memoryBytes) / SESSION_BYTES_PER_TABLE),
  );
}
