import { AppError } from '@rowhouse/errors';
import type { AdminPool } from '@rowhouse/mysql';
import type { EngineCapabilities } from '@rowhouse/schema-model';
import { readJson } from '../json-column.js';
import { toWorkerAccount, type Row, type WorkerAccount } from './worker-records.js';
import type { WorkerDirectory } from './worker-directory.js';

export type AccountId = Pick<WorkerAccount, 'databaseId' | 'kind' | 'rightsHash'>;

type AccountStore = Pick<WorkerDirectory, 'findAccount' | 'listAccountsOfServer' | 'replaceSecret' | 'advise'>;

/** Reads and renews the platform's accounts of databases, and notes what is wrong with those of a server. */
export function createAccountStore(pool: AdminPool, cellId: string): AccountStore {
  async function findAccount({ databaseId, kind, rightsHash }: AccountId): Promise<WorkerAccount | null> {
    const [row] = await pool.rows<Row>('SELECT * FROM database_account WHERE database_id = ? AND kind = ? AND rights_hash = ? AND cell_id = ?', [databaseId, kind, rightsHash, cellId]);
    return row === undefined ? null : toWorkerAccount(row);
  }

  return {
    findAccount,
    async listAccountsOfServer(serverId) {
      const rows = await pool.rows<Row>(
        `SELECT a.* FROM database_account a JOIN tenant_database d ON d.id = a.database_id
         WHERE d.server_id = ? AND d.cell_id = ? AND d.provision_state = 'ready' AND d.location_state <> 'moving' AND d.deleted_at IS NULL AND d.missing_since IS NULL`, [serverId, cellId],
      );
      return rows.map(toWorkerAccount);
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
        const [row] = await session.rows<{ capabilities: unknown }>('SELECT capabilities FROM server WHERE id = ? AND cell_id = ? FOR UPDATE', [serverId, cellId]);
        const capabilities = readJson<EngineCapabilities>(row?.capabilities);
        if (capabilities === null) return;
        const before = capabilities.advice ?? [];
        const others = before.filter((one) => !one.startsWith(topic));
        const advice = sentence === null ? others : [...others, sentence];
        if (JSON.stringify(advice) === JSON.stringify(before)) return;
        await session.run('UPDATE server SET capabilities = ? WHERE id = ?', [JSON.stringify({ ...capabilities, advice }), serverId]);
      }),
  };
}
