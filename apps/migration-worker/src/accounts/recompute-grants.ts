import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase } from '@rowhouse/platform-store';
import type { RawTable } from '@rowhouse/schema-model';
import { planGrants } from './apply-grants.js';
import { planReadGrants, planWriteGrants } from './read-grants.js';

/**
 * Query accounts with grants by table or column must follow each change of the schema: column grants do not cover new
 * columns, and a rename loses the grants of a table. Accounts of the whole schema need nothing.
 */
export function listAccountsToRegrant(accounts: readonly WorkerAccount[], database: WorkerDatabase): WorkerAccount[] {
  const hasHidden = Object.values(database.settings.hidden_columns).some((columns) => columns.length > 0);
  return accounts.filter((account) => (account.kind === 'query' || account.kind === 'query_write') && (hasHidden || account.rights !== null));
}

/** The session that grants must not look at the schema before, and does nothing else afterwards. */
export async function recomputeGrants(
  provisioner: AdminConnection,
  database: WorkerDatabase,
  accounts: readonly WorkerAccount[],
  tables: readonly RawTable[],
): Promise<void> {
  // A GRANT on columns of a view opens the view, so all rights are read before the first statement: see `lookApart`.
  const statements: string[] = [];
  for (const account of accounts) {
    const hidden = database.settings.hidden_columns;
    const plan = account.kind === 'query_write' ? planWriteGrants(tables, account.rights ?? {}, hidden) : new Map([['SELECT' as const, planReadGrants(tables, account.rights, hidden)]]);
    for (const [privilege, wanted] of plan) statements.push(...(await planGrants(provisioner, database.schemaName, account.userName, privilege, wanted)));
  }
  for (const statement of statements) await provisioner.run(statement);
}

/** Brings what the account may do on these tables to what its kind and rights say. */
export function grantOn(provisioner: AdminConnection, database: WorkerDatabase, account: WorkerAccount, tables: readonly RawTable[]): Promise<void> {
  return recomputeGrants(provisioner, database, [account], tables);
}
