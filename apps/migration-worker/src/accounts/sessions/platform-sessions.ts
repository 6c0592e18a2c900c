import { setTimeout as pause } from 'node:timers/promises';
import { accountSecretPurpose } from '@rowhouse/contracts';
import type { SecretBox } from '@rowhouse/credentials';
import { AppError } from '@rowhouse/errors';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerAccount, WorkerDatabase, WorkerServer } from '@rowhouse/platform-store';
import type { Logger } from '@rowhouse/runtime';
import type { ServerLogins } from '../../servers/server-access.js';
import { quoteAccount, ACCOUNT_SPECS } from '../account-statements.js';
import { parseGrants, splitRights } from '../grants/diff-grants.js';
import { createLoginWindows } from './login-windows.js';
import { isAccountRejected, readLoginRejection, RightsMissingError } from './login-rejection.js';
import type { AccountRepairs } from '../repair/repair-account.js';
import type { OwnSessions } from './own-sessions.js';
import type { PlatformSessions } from '../../servers/server-access.js';

export interface PlatformSessionParts {
  readonly logins: Pick<ServerLogins, 'openAs' | 'openForTables' | 'openProvisioner' | 'useReadyProvisioner'>;
  readonly box: SecretBox;
  readonly logger: Logger;
  /** The sessions of this process, which a repair must not end. */
  readonly own: OwnSessions;
  readonly readAccount: (account: WorkerAccount) => Promise<WorkerAccount | null>;
  /** Repairs the account and returns it with its current password. */
  readonly repair: AccountRepairs['repair'];
}

/**
 * The maximum number of logins for one session. After the first login, there may be one with a changed
 * password, one after a repair, and one after a repair by another worker.
 */
const LOGINS_MAX = 4;

/**
 * The maximum number of unlocks for one session. Another worker may lock the account before this worker has
 * logged in.
 */
const UNLOCKS_MAX = 12;

const UNLOCK_PAUSE_MS = 25;

export function createPlatformSessions(parts: PlatformSessionParts): PlatformSessions {
  const { logins, own: ownSessions, logger } = parts;
  const windows = createLoginWindows((account, error) =>
    logger.warn({ account, err: error }, 'an account was not locked; the account sweep will lock it'),
  );

  async function open(
    server: WorkerServer,
    database: WorkerDatabase,
    known: WorkerAccount,
  ): Promise<AdminConnection> {
    let account = known;
    for (let logged = 1; ; logged += 1) {
      try {
        return await logIn(server, database, account);
      } catch (error) {
        const rejection = readLoginRejection(error);
        if (rejection === null || isProvisionerRejected(error) || logged === LOGINS_MAX) throw error;
        const current = await parts.readAccount(account);
        if (current === null) throw error;
        account = current.secretSealed.equals(account.secretSealed)
          ? await parts.repair(server, database, current, [rejection.reason])
          : current;
      }
    }
  }

  async function logIn(
    server: WorkerServer,
    database: WorkerDatabase,
    account: WorkerAccount,
  ): Promise<AdminConnection> {
    const password = parts.box.open(
      account.secretSealed,
      accountSecretPurpose(database.id, account.kind, account.rightsHash),
    );
    const login = account.kind === 'migrator' ? logins.openForTables : logins.openAs;
    const connect = (): Promise<AdminConnection> =>
      login(server, account.userName, password, database.schemaName);
    if (!ACCOUNT_SPECS[account.kind].isLocked) return connect();
    const setLock = (isLocked: boolean): Promise<void> =>
      sendAsProvisioner(
        logins,
        server,
        `ALTER USER IF EXISTS ${quoteAccount(account.userName)} ACCOUNT ${isLocked ? 'LOCK' : 'UNLOCK'}`,
      );
    const unlock = (): Promise<void> => setLock(false);
    const connection = await windows.use(
      `${server.id} ${account.userName}`,
      { unlock, lock: () => setLock(true) },
      () => connectUnlocked(connect, unlock),
    );
    return ownSessions.hold(
      server.id,
      account.userName,
      await assertRights(connection, database.schemaName, account),
    );
  }

  return { open, close: () => windows.close() };
}

async function connectUnlocked(
  connect: () => Promise<AdminConnection>,
  unlock: () => Promise<void>,
): Promise<AdminConnection> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await connect();
    } catch (error) {
      if (readLoginRejection(error)?.isLocked !== true || attempts === UNLOCKS_MAX) throw error;
      await pause(Math.random() * UNLOCK_PAUSE_MS);
      await unlock();
    }
  }
}

/** Sends statements over the open session of the provisioner, or opens a session. */
async function sendAsProvisioner(
  logins: PlatformSessionParts['logins'],
  server: WorkerServer,
  sql: string,
): Promise<void> {
  if (server.nodes.length === 0) {
    try {
      return void (await logins.useReadyProvisioner(server, (connection) => connection.run(sql)));
    } catch (error) {
      if (readServerFault(error)?.isConnectionLost !== true && readLoginRejection(error) === null)
        throw error;
    }
  }
  const connection = await logins.openProvisioner(server);
  try {
    await connection.run(sql);
  } finally {
    await connection.close();
  }
}

/** Returns whether the server rejects the provisioner itself. A repair is then impossible. */
function isProvisionerRejected(error: unknown): boolean {
  return isAccountRejected(error) && (error as AppError).extra['account'] === 'provisioner';
}

/**
 * Checks the account's rights at login, so that a revoked right does not fail a
 * statement in the middle of a job.
 */
async function assertRights(
  connection: AdminConnection,
  schemaName: string,
  account: WorkerAccount,
): Promise<AdminConnection> {
  try {
    const rows = await connection.rows<Record<string, string>>('SHOW GRANTS');
    const { objects } = parseGrants(rows.flatMap((row) => Object.values(row)));
    for (const { object, rights } of ACCOUNT_SPECS[account.kind].grants(schemaName)) {
      const present = objects.get(object);
      if (
        present?.has('ALL PRIVILEGES') === true ||
        splitRights(rights).every((right) => present?.has(right) === true)
      )
        continue;
      throw new RightsMissingError(`the account lacks rights on ${object}`);
    }
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}
