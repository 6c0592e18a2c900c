import { AppError } from '@rowhouse/errors';
import type { AdminPool } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { AT_WORK } from '../journal/running-jobs.js';
import { readJson } from '../sql-values.js';
import { toWorkerAccount, type AccountWithSchema, type Row, type WorkerAccount } from './worker-records.js';

export type AccountId = Pick<WorkerAccount, 'databaseId' | 'kind' | 'rightsHash'>;

/**
 * Reads the platform's database accounts, replaces their secrets, and records problems with their servers.
 */
export interface AccountStore {
  /** Returns an account. Returns null if its row no longer exists. */
  findAccount(account: AccountId): Promise<WorkerAccount | null>;
  /**
   * Returns the platform's accounts for all databases on a server, except databases that are deleted or being
   * moved.
   */
  listAccountsOfServer(serverId: string): Promise<AccountWithSchema[]>;
  /** Returns the names of all connection users of the databases on a server, including revoked ones. */
  listConnectionUserNames(serverId: string): Promise<string[]>;
  /** Returns the databases on a server for which work is in progress. */
  listBusyDatabases(serverId: string): Promise<Set<string>>;
  /** Replaces the secret of `account`, unless another worker has already done so. Returns the current row. */
  replaceSecret(account: WorkerAccount, secretSealed: Buffer): Promise<WorkerAccount>;
  /**
   * Adds a sentence to the advice that operators see about a server. It replaces sentences that begin with
   * `topic`. If it is null, these are only removed.
   */
  advise(serverId: string, topic: string, sentence: string | null): Promise<void>;
}

const LIST_BUSY = `
  SELECT d.id AS database_id FROM tenant_database d WHERE d.server_id = ? AND d.cell_id = ? AND (
    EXISTS (SELECT 1 FROM migration WHERE database_id = d.id AND ${AT_WORK.migration})
    OR EXISTS (SELECT 1 FROM database_move WHERE database_id = d.id AND ${AT_WORK.database_move})
    OR EXISTS (SELECT 1 FROM kept_object WHERE database_id = d.id AND ${AT_WORK.kept_object})
    OR EXISTS (SELECT 1 FROM task WHERE database_id = d.id AND state = 'running')
    OR EXISTS (SELECT 1 FROM value_index WHERE database_id = d.id AND lease_expires_at > UTC_TIMESTAMP(3)))`;

/** Creates the store for the platform's database accounts. */
export function createAccountStore(pool: AdminPool, cellId: string): AccountStore {
  async function findAccount({ databaseId, kind, rightsHash }: AccountId): Promise<WorkerAccount | null> {
    const [row] = await pool.rows<Row>(
      'SELECT * FROM database_account WHERE database_id = ? AND kind = ? AND rights_hash = ? AND cell_id = ?',
      [databaseId, kind, rightsHash, cellId],
    );
    return row === undefined ? null : toWorkerAccount(row);
  }

  return {
    findAccount,
    async listAccountsOfServer(serverId) {
      const rows = await pool.rows<Row>(
        `SELECT a.*, d.schema_name FROM database_account a JOIN tenant_database d ON d.id = a.database_id
         WHERE d.server_id = ? AND d.cell_id = ? AND d.provision_state = 'ready' AND d.location_state <> 'moving' AND d.deleted_at IS NULL AND d.missing_since IS NULL`,
        [serverId, cellId],
      );
      return rows.map((row) => ({ ...toWorkerAccount(row), schemaName: String(row['schema_name']) }));
    },
    async listConnectionUserNames(serverId) {
      const rows = await pool.rows<{ user_name: string }>(
        'SELECT c.user_name FROM connection_user c JOIN tenant_database d ON d.id = c.database_id WHERE d.server_id = ? AND c.cell_id = ?',
        [serverId, cellId],
      );
      return rows.map((row) => row.user_name);
    },
    async listBusyDatabases(serverId) {
      const rows = await pool.rows<{ database_id: string }>(LIST_BUSY, [serverId, cellId]);
      return new Set(rows.map((row) => row.database_id));
    },
    async replaceSecret(account, secretSealed) {
      await pool.run(
        'UPDATE database_account SET secret_sealed = ? WHERE database_id = ? AND kind = ? AND rights_hash = ? AND secret_sealed = ?',
        [secretSealed, account.databaseId, account.kind, account.rightsHash, account.secretSealed],
      );
      const current = await findAccount(account);
      if (current === null) throw new AppError('resource.not_found', { detail: 'The database was deleted.' });
      return current;
    },
    advise: (serverId, topic, sentence) =>
      pool.transaction(async (session) => {
        const [row] = await session.rows<{ capabilities: unknown }>(
          'SELECT capabilities FROM server WHERE id = ? AND cell_id = ? FOR UPDATE',
          [serverId, cellId],
        );
        const capabilities = readJson<EngineCapabilities>(row?.capabilities);
        if (capabilities === null) return;
        const before = capabilities.advice ?? [];
        const others = before.filter((item) => !item.startsWith(topic));
        const advice = sentence === null ? others : [...others, sentence];
        if (JSON.stringify(advice) === JSON.stringify(before)) return;
        await session.run('UPDATE server SET capabilities = ? WHERE id = ?', [
          JSON.stringify({ ...capabilities, advice }),
          serverId,
        ]);
      }),
  };
}
