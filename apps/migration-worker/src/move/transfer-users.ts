import { quoteName, quoteText, type AdminConnection } from '@rowhouse/mysql';
import { quoteAccount } from '../accounts/account-statements.js';
import { endSessions } from '../accounts/sessions/end-sessions.js';
import type { ConnectionRole } from '@rowhouse/contracts';
import { definerName } from '../accounts/definer-account.js';
import { ROLE_RIGHTS } from '../accounts/grants/schema-rights.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import type { Definitions } from './definitions.js';
import type { MoveRun } from './move-run.js';
import { setGrowth } from '../accounts/grants/set-growth.js';

/**
 * An account that is not the platform's. It belongs to a direct connection, or to a deleted connection that
 * has created a view, trigger or routine.
 */
export interface TransferredUser {
  readonly userName: string;
  /** The connection's role. Null when the account may no longer log in; the account then keeps its rights. */
  readonly role: ConnectionRole | null;
}

export async function listTransferredUsers(
  { ctx, database }: MoveRun,
  { definers }: Pick<Definitions, 'definers'>,
): Promise<TransferredUser[]> {
  const users = await ctx.directory.listConnectionUsers(database.id);
  const live = users
    .filter((user) => !user.isRevoked)
    .map((user) => ({ userName: user.userName, role: user.role as TransferredUser['role'] }));
  const platform = new Set(
    (await ctx.directory.listAccounts(database.id)).map((account) => account.userName),
  );
  const known = new Set([
    ...live.map((user) => user.userName),
    ...platform,
    definerName(database.schemaName),
  ]);
  const removed = [...definers]
    .filter((definer) => definer.endsWith('@%'))
    .map((definer) => definer.slice(0, -2))
    .filter((userName) => !known.has(userName));
  return [...live, ...removed.map((userName) => ({ userName, role: null }))];
}

/**
 * Creates the accounts with their current passwords, as the old server stores them. Users therefore need no
 * new passwords. The accounts are locked until the database is served by its new server. Safe to run again.
 */
export async function transferUsers(
  run: MoveRun,
  provisioner: AdminConnection,
  users: readonly TransferredUser[],
): Promise<void> {
  if (users.length === 0) return;
  await withConnection(run.ctx.access.openProvisioner(run.from), async (old) => {
    for (const user of users) {
      const created = await readAccount(old, user.userName, run.from.engine === 'mysql');
      if (created !== null) await makeUser(run, provisioner, old, user, created);
    }
  });
}

async function makeUser(
  { database }: MoveRun,
  provisioner: AdminConnection,
  old: AdminConnection,
  { userName, role }: TransferredUser,
  created: string,
): Promise<void> {
  const account = quoteAccount(userName);
  await provisioner.run(created.replace(/^CREATE USER /, 'CREATE USER IF NOT EXISTS '));
  await provisioner.run(created.replace(/^CREATE USER /, 'ALTER USER ').replace(/ DEFAULT ROLE NONE/, ''));
  await provisioner.run(`ALTER USER ${account} ACCOUNT LOCK`);
  if (role === null) {
    const grants = await old.rows<Record<string, string>>(`SHOW GRANTS FOR ${account}`);
    for (const grant of grants.flatMap((row) => Object.values(row)))
      if (grant.includes(` ON ${quoteName(database.schemaName)}.`))
        await provisioner.run(grant.replace(/ IDENTIFIED (BY|VIA|WITH) .*$/, ''));
    return;
  }
  await provisioner.run(`GRANT ${ROLE_RIGHTS[role]} ON ${quoteName(database.schemaName)}.* TO ${account}`);
  if (database.isStorageFull) await setGrowth(provisioner, database.schemaName, { userName, role }, false);
}

/**
 * Returns the account in unlocked form, whatever its state on the old server is. Returns null when the
 * account does not exist.
 */
async function readAccount(old: AdminConnection, userName: string, isMysql: boolean): Promise<string | null> {
  const [known] = await old.rows(
    `SELECT 1 FROM information_schema.USER_PRIVILEGES WHERE GRANTEE = ${quoteText(`'${userName}'@'%'`)} LIMIT 1`,
  );
  if (known === undefined) return null;
  // The password is printed in hexadecimal, because its salt contains bytes that are not valid text.
  if (isMysql) await old.run('SET SESSION print_identified_with_as_hex = ON');
  const [row] = await old.rows<Record<string, string>>(`SHOW CREATE USER ${quoteAccount(userName)}`);
  return Object.values(row ?? {})[0]?.replace(/ ACCOUNT (UN)?LOCK/, '') ?? null;
}

/** Ends direct connections when the pause begins, and prevents new ones on the old server. */
export async function blockUsers(run: MoveRun, users: readonly TransferredUser[]): Promise<void> {
  const live = users.filter((user) => user.role !== null);
  if (live.length === 0) return;
  await withConnection(run.ctx.access.openProvisioner(run.from), async (old) => {
    for (const { userName } of live)
      await old.run(`ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT LOCK`);
    for (const { userName } of live) await endSessions(old, run.from, userName);
  });
}

/** Lets users that are not revoked log in on this server. */
export async function unlockUsers(
  ctx: Pick<WorkerContext, 'directory'>,
  provisioner: AdminConnection,
  databaseId: string,
): Promise<void> {
  const users = await ctx.directory.listConnectionUsers(databaseId);
  for (const { userName } of users.filter((user) => !user.isRevoked))
    await provisioner.run(`ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT UNLOCK`);
}

export async function unblockUsers(
  run: MoveRun,
  server: MoveRun['from'],
  users: readonly TransferredUser[],
): Promise<void> {
  const live = users.filter((user) => user.role !== null);
  if (live.length === 0) return;
  await withConnection(run.ctx.access.openProvisioner(server), async (provisioner) => {
    for (const { userName } of live)
      await provisioner.run(`ALTER USER IF EXISTS ${quoteAccount(userName)} ACCOUNT UNLOCK`);
  });
}
