import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase } from '@rowhouse/platform-store';
import type { RawTable } from '@rowhouse/schema-model';
import { planGrants, type GrantPlan } from './apply-grants.js';
import { planReadGrants, planWriteGrants } from './read-grants.js';

/**
 * Query accounts with grants by table or column must follow each change of the schema: column grants do not cover new
 * columns, and a rename loses the grants of a table. Accounts of the whole schema need nothing.
 */
export function listAccountsToRegrant(accounts: readonly WorkerAccount[], database: WorkerDatabase): WorkerAccount[] {
  const hasHidden = Object.values(database.settings.hidden_columns).some((columns) => columns.length > 0);
  return accounts.filter((account) => (account.kind === 'query' || account.kind === 'query_write') && (hasHidden || account.rights !== null));
}

export interface GrantOptions {
  /** Hidden columns other than those of the database's settings. */
  readonly hidden?: WorkerDatabase['settings']['hidden_columns'];
  /** Called before the first statement that revokes; false: nothing is revoked. */
  readonly beforeRevoking?: (needs: { readonly newSessions: boolean }) => Promise<boolean>;
}

/**
 * Brings what query accounts may do on these tables to what their kinds and rights say. Everything missing is granted before
 * anything is revoked, so that a right that stays is away only while one on a table becomes one on its columns. The session
 * must not look at the schema before, and does nothing else afterwards.
 */
export async function recomputeGrants(
  provisioner: AdminConnection,
  database: WorkerDatabase,
  accounts: readonly WorkerAccount[],
  tables: readonly RawTable[],
  { hidden = database.settings.hidden_columns, beforeRevoking }: GrantOptions = {},
): Promise<void> {
  // A GRANT on columns of a view opens the view, so all rights are read before the first statement: see `lookApart`.
  const plans: GrantPlan[] = [];
  for (const account of accounts) {
    const wanted = account.kind === 'query_write' ? planWriteGrants(tables, account.rights ?? {}, hidden) : new Map([['SELECT' as const, planReadGrants(tables, account.rights, hidden)]]);
    for (const [privilege, grants] of wanted) plans.push(await planGrants(provisioner, database.schemaName, account.userName, privilege, grants));
  }
  for (const statement of plans.flatMap((plan) => plan.missing)) await provisioner.run(statement);
  // SELECT last: while another right is on the schema, MySQL overlooks SELECT on a table.
  const extra = plans.toReversed().flatMap((plan) => plan.extra);
  if (extra.length === 0) return;
  if (beforeRevoking !== undefined && !(await beforeRevoking({ newSessions: plans.some((plan) => plan.grantsSchema) }))) return;
  for (const statement of extra) await provisioner.run(statement);
}

/** As `recomputeGrants`, for one account. */
export function grantOn(provisioner: AdminConnection, database: WorkerDatabase, account: WorkerAccount, tables: readonly RawTable[], options?: GrantOptions): Promise<void> {
  return recomputeGrants(provisioner, database, [account], tables, options);
}
