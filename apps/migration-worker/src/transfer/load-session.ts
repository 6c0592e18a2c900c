import { sideSchemaName } from '@rowhouse/contracts';
import { CARRY_SQL_MODE, quoteName, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerDatabase } from '@rowhouse/platform-store';
import type { EngineKind } from '@rowhouse/schema-model';
import { openLoadNotes, type LoadNotes } from './load-notes.js';

/**
 * The SQL mode in which a default server accepts a dump. Values that do not fit are changed to the nearest
 * possible ones.
 */
const LENIENT_SQL_MODE = 'NO_AUTO_VALUE_ON_ZERO,ALLOW_INVALID_DATES,NO_ENGINE_SUBSTITUTION';
const WARNINGS_MAX = 1_000;

/**
 * The progress of a load. It is stored next to the data, so that one transaction writes a chunk and its
 * progress.
 */
export interface LoadPosition {
  /**
   * `schema`: no row is loaded yet; `rows`: the chunks up to `done` are loaded; `finish`: all chunks are
   * loaded.
   */
  readonly stage: 'schema' | 'rows' | 'finish';
  readonly done: number;
  readonly rows: number;
}

const FIRST: LoadPosition = { stage: 'schema', done: 0, rows: 0 };

/** A session that loads rows and records notes. */
export interface LoadSession {
  readonly connection: AdminConnection;
  read(): Promise<LoadPosition>;
  write(position: LoadPosition): Promise<void>;
  /**
   * Runs `callback` and records `next` in one transaction. If the recorded position is not `before`, another
   * worker has continued this load. In that case the method does nothing and returns false.
   */
  step(before: LoadPosition, next: LoadPosition, callback: () => Promise<void>): Promise<boolean>;
  /**
   * Runs `sql`, which may adapt values to their columns. Returns the server's message for each changed value.
   */
  runLeniently(sql: string): Promise<{ readonly affectedRows: number; readonly warnings: readonly string[] }>;
  readonly notes: LoadNotes;
  forget(): Promise<void>;
}

export async function openLoadSession(
  connection: AdminConnection,
  database: WorkerDatabase,
  engine: EngineKind,
  loadId: string,
): Promise<LoadSession> {
  const table = `${quoteName(sideSchemaName(database.schemaName))}.load_position`;
  await connection.run(
    `CREATE TABLE IF NOT EXISTS ${table} (load_id varchar(40) CHARACTER SET ascii COLLATE ascii_bin NOT NULL PRIMARY KEY, stage varchar(8) NOT NULL, done int unsigned NOT NULL, rows_done bigint unsigned NOT NULL) ENGINE=InnoDB`,
  );
  const notes = await openLoadNotes(connection, database, loadId);
  await connection.run(`SET SESSION sql_mode = '${CARRY_SQL_MODE}', foreign_key_checks = 0`);
  // By default, MySQL keeps this number of warnings. This account may not change the setting there.
  if (engine === 'mariadb') await connection.run(`SET SESSION max_error_count = ${WARNINGS_MAX}`);
  await connection.run(
    `INSERT INTO ${table} VALUES (?, 'schema', 0, 0) ON DUPLICATE KEY UPDATE stage = stage`,
    [loadId],
  );
  const read = async (lock: string): Promise<LoadPosition> => {
    const [row] = await connection.rows<{
      stage: LoadPosition['stage'];
      done: number;
      rows_done: number | string;
    }>(`SELECT stage, done, rows_done FROM ${table} WHERE load_id = ?${lock}`, [loadId]);
    return row === undefined
      ? FIRST
      : { stage: row.stage, done: Number(row.done), rows: Number(row.rows_done) };
  };
  const write = async (position: LoadPosition): Promise<void> => {
    await connection.run(`UPDATE ${table} SET stage = ?, done = ?, rows_done = ? WHERE load_id = ?`, [
      position.stage,
      position.done,
      position.rows,
      loadId,
    ]);
  };
  return {
    connection,
    read: () => read(''),
    write,
    async step(before, next, callback) {
      await connection.run('START TRANSACTION');
      try {
        const now = await read(' FOR UPDATE');
        if (now.stage !== before.stage || now.done !== before.done) {
          await connection.run('ROLLBACK');
          return false;
        }
        await callback();
        await write(next);
        await connection.run('COMMIT');
        return true;
      } catch (error) {
        if (!connection.isLost()) await connection.run('ROLLBACK');
        throw error;
      }
    },
    notes,
    async runLeniently(sql) {
      await connection.run(`SET SESSION sql_mode = '${LENIENT_SQL_MODE}'`);
      try {
        const { affectedRows } = await connection.run(sql);
        const warnings = await connection.rows<{ Level: string; Message: string }>('SHOW WARNINGS');
        return { affectedRows, warnings: warnings.map(({ Message }) => Message) };
      } finally {
        if (!connection.isLost()) await connection.run(`SET SESSION sql_mode = '${CARRY_SQL_MODE}'`);
      }
    },
    async forget() {
      await notes.forget();
      await connection.run(`DELETE FROM ${table} WHERE load_id = ?`, [loadId]);
    },
  };
}
