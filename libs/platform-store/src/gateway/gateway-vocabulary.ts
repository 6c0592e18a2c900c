import { SYNONYMS_MAX } from '@rowhouse/contracts';
import type { AdminSession } from '@rowhouse/mysql';
import { toMarks, toRowMarks } from '../sql-values.js';

/** A synonym that a user defined for a table or a column. */
export interface ProjectSynonym {
  readonly phrase: string;
  readonly table: string;
  readonly column: string | null;
}

export interface ValueIndexState {
  /** The version of the value index. It is 0 before the index is first built. */
  readonly version: number;
  /** Whether all requested updates are done. */
  readonly isSettled: boolean;
}

/** A gateway's access to synonyms and value indexes, which it needs to interpret questions. */
export interface GatewayVocabulary {
  listSynonyms(projectId: string): Promise<ProjectSynonym[]>;
  /** Returns the state of a value index. Returns null if no index has been requested for the database yet. */
  readState(databaseId: string): Promise<ValueIndexState | null>;
  /**
   * Requests an update of the indexes. Since the last update, at least `gapMs` must pass, and at least twenty
   * times the duration of that update. An update that is already requested for an earlier time remains. With
   * `isFirst`, missing rows are created.
   */
  request(databaseIds: readonly string[], gapMs: number, isFirst: boolean): Promise<void>;
}

const NEXT = `GREATEST(UTC_TIMESTAMP(3), IFNULL(checked_at, UTC_TIMESTAMP(3)) + INTERVAL IF(checked_at IS NULL, 0, GREATEST(? , took_ms * 20) * 1000) MICROSECOND)`;

export function createGatewayVocabulary(pool: AdminSession, cellId: string): GatewayVocabulary {
  return {
    async listSynonyms(projectId) {
      const rows = await pool.rows<{ phrase: string; table_name: string; column_name: string }>(
        'SELECT phrase, table_name, column_name FROM synonym WHERE project_id = ? AND cell_id = ? ORDER BY id LIMIT ?',
        [projectId, cellId, SYNONYMS_MAX],
      );
      return rows.map((row) => ({
        phrase: row.phrase,
        table: row.table_name,
        column: row.column_name === '' ? null : row.column_name,
      }));
    },
    async readState(databaseId) {
      const [row] = await pool.rows<{ version: number | string; is_settled: number }>(
        'SELECT version, due_at IS NULL AND lease_owner IS NULL AS is_settled FROM value_index WHERE database_id = ? AND cell_id = ?',
        [databaseId, cellId],
      );
      return row === undefined
        ? null
        : { version: Number(row.version), isSettled: Number(row.is_settled) === 1 };
    },
    async request(databaseIds, gapMs, isFirst) {
      if (databaseIds.length === 0) return;
      if (isFirst) {
        await pool.run(
          `INSERT IGNORE INTO value_index (database_id, cell_id) VALUES ${toRowMarks(databaseIds, toMarks(2))}`,
          databaseIds.flatMap((id) => [id, cellId]),
        );
      }
      // During an update, `due_at` is the end of the lease. A request replaces that time.
      await pool.run(
        `UPDATE value_index SET due_at = LEAST(IFNULL(IF(due_at = lease_expires_at, NULL, due_at), UTC_TIMESTAMP(3) + INTERVAL 1 DAY), ${NEXT}) WHERE cell_id = ? AND database_id IN (${toMarks(databaseIds.length)})`,
        [gapMs, cellId, ...databaseIds],
      );
    },
  };
}
