import type { AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase } from '@rowhouse/platform-store';
import type { RawTable } from '@rowhouse/schema-model';
import { planGrants, type GrantPlan } from './apply-grants.js';
import { planReadGrants, planWriteGrants } from './read-grants.js';

/**
 * Returns the query accounts whose grants by table or column must be updated after a schema change. Column
 * grants do not cover new columns, and a rename loses the grants of a table. Accounts with rights on the
 * whole schema need no update.
 */
export function listAccountsToRegrant(
  accounts: readonly WorkerAccount[],
  database: WorkerDatabase,
): WorkerAccount[] {
  const hasHidden = Object.values(database.settings.hidden_columns).some((columns) => columns.length > 0);
  return accounts.filter(
    (account) =>
      (account.kind === 'query' || account.kind === 'query_write') && (hasHidden || account.rights !== null),
  );
}

export interface GrantOptions {
  /** The hidden columns, if they differ from those in the database's settings. */
  readonly hidden?: WorkerDatabase['settings']['hidden_columns'];
  /** Called before the first statement that revokes. If it returns false, no right is revoked. */
  readonly beforeRevoking?: (needs: { readonly newSessions: boolean }) => Promise<boolean>;
}

/**
 * Updates what query accounts may do on these tables according to their kinds and rights. Missing rights are
 * granted before any is revoked. A right is absent only for the moment in which a table grant is replaced by
 * column grants. The session must not have opened the schema before, and must not be used afterwards.
 */
export async function recomputeGrants(
  provisioner: AdminConnection,
  database: WorkerDatabase,
  accounts: readonly WorkerAccount[],
  tables: readonly RawTable[],
  { hidden = database.settings.hidden_columns, beforeRevoking }: GrantOptions = {},
): Promise<void> {
  // A GRANT on columns of a view opens the view, which may change the session. All grants are therefore read
  // before the first statement. See `inspectSeparately`.
  const plans: GrantPlan[] = [];
  for (const account of accounts) {
    const requested =
      account.kind === 'query_write'
        ? planWriteGrants(tables, account.rights ?? {}, hidden)
        : new Map([['SELECT' as const, planReadGrants(tables, account.rights, hidden)]]);
    for (const [privilege, grants] of requested)
      plans.push(await planGrants(provisioner, database.schemaName, account.userName, privilege, grants));
  }
  for (const statement of plans.flatMap((plan) => plan.missing)) await provisioner.run(statement);
  // Rights are revoked in reverse order, with SELECT last. MySQL ignores SELECT on a table while another
  // right is granted on the schema.
  const extra = plans.toReversed().flatMap((plan) => plan.extra);
  if (extra.length === 0) return;
  if (
    beforeRevoking !== undefined &&
    !(await beforeRevoking({ newSessions: plans.some((plan) => plan.grantsSchema) }))
  )
    return;
  for (const statement of extra) await provisioner.run(statement);
}

/** Updates the grants of one account, like `recomputeGrants`. */
export function grantOn(
  provisioner: AdminConnection,
  database: WorkerDatabase,
  account: WorkerAccount,
  tables: readonly RawTable[],
  options?: GrantOptions,
): Promise<void> {
  return recomputeGrants(provisioner, database, [account], tables, options);
}
