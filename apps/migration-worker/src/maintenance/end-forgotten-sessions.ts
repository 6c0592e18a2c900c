import { LOGIN_COMMANDS, quoteText, SESSIONS, type AdminConnection } from '@rowhouse/mysql';
import type { AccountWithSchema, WorkerServer } from '@rowhouse/platform-store';
import { ACCOUNT_SPECS } from '../accounts/account-statements.js';
import { definerName } from '../accounts/definer-account.js';
import { killThread } from '../servers/kill-thread.js';
import type { WorkerContext } from '../worker-context.js';

export interface ForgottenSessions {
  readonly accounts: readonly AccountWithSchema[];
  /** Sessions without a worker at the previous sweep, by server. */
  readonly suspects: Map<string, ReadonlySet<number>>;
}

/**
 * Ends sessions of accounts that only workers use, if no worker uses them. A session is ended after two
 * consecutive sweeps have found that this worker does not hold it and no worker works on its database. A
 * worker that reads a schema holds a session for a few seconds.
 */
export async function endForgottenSessions(
  ctx: Pick<WorkerContext, 'audits' | 'directory' | 'logger' | 'own'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  { accounts, suspects }: ForgottenSessions,
): Promise<void> {
  const locked = accounts.filter(({ kind }) => ACCOUNT_SPECS[kind].isLocked);
  // Each database has one migrator and one definer account.
  const users = new Map(
    locked.flatMap((account) =>
      [account.userName, definerName(account.schemaName)].map((userName) => [
        userName,
        { ...account, userName },
      ]),
    ),
  );
  const sessions = await provisioner.rows<{ id: number | string; user: string }>(
    `SELECT ID AS id, USER AS user FROM ${SESSIONS} WHERE COMMAND NOT IN (${LOGIN_COMMANDS.map(quoteText).join(', ')})`,
  );
  const strange = sessions
    .map(({ id, user }) => ({ id: Number(id), account: users.get(user) }))
    .filter(({ id, account }) => account !== undefined && !ctx.own.list(server.id, account.userName).has(id));
  const busy = strange.length === 0 ? new Set<string>() : await ctx.directory.listBusyDatabases(server.id);
  const idle = strange.filter(({ account }) => !busy.has(account?.databaseId ?? ''));
  const before = suspects.get(server.id);
  suspects.set(server.id, new Set(idle.map(({ id }) => id)));
  for (const { id, account } of idle) {
    if (account === undefined || before?.has(id) !== true) continue;
    await killThread(provisioner, id);
    ctx.logger.warn(
      { server: server.id, database: account.databaseId, user: account.userName, thread: id },
      'a session of a platform account that no worker holds was ended',
    );
    await ctx.audits.add({
      databaseId: account.databaseId,
      action: 'account.session_end',
      target: account.userName,
      detail: { actor: 'platform', account_kind: account.kind, sessions_ended: 1 },
    });
  }
}
