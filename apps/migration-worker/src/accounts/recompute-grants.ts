import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase } from '@rowhouse/platform-store';
import type { RawTable } from '@rowhouse/schema-model';
import { applyReadGrants } from './apply-grants.js';
import { planReadGrants } from './read-grants.js';

/**
 * Query accounts with grants by table or column must follow each change of the schema: column grants do not cover new
 * columns, and a rename loses the grants of a table. Accounts of the whole schema need nothing.
 */
export function listAccountsToRegrant(accounts: readonly WorkerAccount[], database: WorkerDatabase): WorkerAccount[] {
  const hasHidden = Object.values(database.settings.hidden_columns).some((columns) => columns.length > 0);
  return accounts.filter((account) => account.kind === 'query' && (hasHidden || account.rights !== null));
}

export async function recomputeGrants(
  provisioner: AdminConnection,
  database: WorkerDatabase,
  accounts: readonly WorkerAccount[],
  tables: readonly RawTable[],
): Promise<void> {
  for (const account of accounts) {
    const wanted = planReadGrants(tables, account.rights, database.settings.hidden_columns);
    await applyReadGrants(provisioner, database.schemaName, account.userName, wanted);
  }
}
