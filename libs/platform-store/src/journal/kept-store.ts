import type { KeptDefinition } from '@rowhouse/contracts';
import type { AdminPool } from '@rowhouse/mysql';
import { AT_REST_STATES } from '../at-rest-states.js';
import { readJson } from '../json-column.js';

/** A dropped table or column that can still be taken back. */
export interface KeptRow {
  readonly id: string;
  readonly databaseId: string;
  readonly kind: 'table' | 'column';
  readonly tableName: string;
  readonly keptName: string;
}

export interface NewKept extends KeptRow {
  readonly migrationId: string;
  readonly step: number;
  readonly columnName: string | null;
  readonly definition: KeptDefinition;
  readonly hours: number;
}

/** The worker's half of the `kept_object` table. */
export interface KeptStore {
  /** Keeps the row that stands: a run that is taken over must not write down what an earlier one has half taken apart. */
  keep(object: NewKept): Promise<void>;
  /** What was written down under this name; null when nothing was. */
  readDefinition(databaseId: string, keptName: string): Promise<KeptDefinition | null>;
  /** Nothing is kept under this name after all. */
  forget(databaseId: string, keptName: string): Promise<void>;
  markRestored(id: string): Promise<void>;
  /** Objects whose time is over, those first that have waited longest. */
  listExpired(rowsMax: number): Promise<KeptRow[]>;
  /**
   * Runs `work` while no migration of the database can begin, and marks the object as purged; false when one is at work
   * or the object is kept no longer.
   */
  purge(object: KeptRow, work: () => Promise<void>): Promise<boolean>;
}

interface Row {
  id: string;
  database_id: string;
  kind: string;
  table_name: string;
  kept_name: string;
}

export function createKeptStore(pool: AdminPool, cellId: string): KeptStore {
  return {
    async keep(object) {
      await pool.run(
        `INSERT IGNORE INTO kept_object (id, cell_id, database_id, migration_id, step, kind, table_name, column_name, kept_name, definition, kept_at, expires_at)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, UTC_TIMESTAMP(3), UTC_TIMESTAMP(3) + INTERVAL ? HOUR)`,
        [
          object.id, cellId, object.databaseId, object.migrationId, object.step, object.kind, object.tableName, object.columnName, object.keptName,
          JSON.stringify(object.definition), object.hours,
        ],
      );
    },
    async forget(databaseId, keptName) {
      await pool.run('DELETE FROM kept_object WHERE database_id = ? AND kept_name = ? AND outcome IS NULL', [databaseId, keptName]);
    },
    async readDefinition(databaseId, keptName) {
      const [row] = await pool.rows<{ definition: string }>('SELECT definition FROM kept_object WHERE database_id = ? AND kept_name = ?', [databaseId, keptName]);
      return row === undefined ? null : readJson<KeptDefinition>(row.definition);
    },
    async markRestored(id) {
      await pool.run(`UPDATE kept_object SET outcome = 'restored', ended_at = UTC_TIMESTAMP(3) WHERE id = ? AND cell_id = ? AND outcome IS NULL`, [id, cellId]);
    },
    async listExpired(rowsMax) {
      const rows = await pool.rows<Row>('SELECT id, database_id, kind, table_name, kept_name FROM kept_object WHERE cell_id = ? AND outcome IS NULL AND expires_at < UTC_TIMESTAMP(3) ORDER BY expires_at LIMIT ?', [cellId, rowsMax]);
      return rows.map((row) => ({ id: row.id, databaseId: row.database_id, kind: row.kind === 'table' ? 'table' : 'column', tableName: row.table_name, keptName: row.kept_name }));
    },
    purge: (object, work) =>
      pool.transaction(async (session) => {
        // A claim of a migration locks the same row first.
        await session.rows('SELECT id FROM tenant_database WHERE id = ? FOR UPDATE', [object.databaseId]);
        const kept = await session.rows('SELECT id FROM kept_object WHERE id = ? AND outcome IS NULL FOR UPDATE', [object.id]);
        const running = await session.rows(`SELECT id FROM migration WHERE database_id = ? AND state NOT IN (${AT_REST_STATES}) LIMIT 1`, [object.databaseId]);
        if (kept.length === 0 || running.length > 0) return false;
        await work();
        await session.run(`UPDATE kept_object SET outcome = 'purged', ended_at = UTC_TIMESTAMP(3) WHERE id = ?`, [object.id]);
        return true;
      }),
  };
}
