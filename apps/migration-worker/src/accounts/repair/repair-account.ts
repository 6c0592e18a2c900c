import { accountSecretPurpose } from '@rowhouse/contracts';
import { generatePassword, type SecretBox } from '@rowhouse/credentials';
import { AppError, NO_SUCH_TABLE } from '@rowhouse/errors';
import { introspectSchema, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type {
  AuditOutbox,
  WorkerAccount,
  WorkerDatabase,
  WorkerDirectory,
  WorkerServer,
} from '@rowhouse/platform-store';
import type { Logger } from '@rowhouse/runtime';
import { inspectSeparately } from '../../snapshots/inspect-schema.js';
import { withConnection, type ServerLogins } from '../../servers/server-access.js';
import { platformAccountStatements, quoteAccount, ACCOUNT_SPECS } from '../account-statements.js';
import { diffGrants, parseGrants } from '../grants/diff-grants.js';
import { endAbandoned } from '../sessions/prepared-transactions.js';
import { endSessions, endSessionsEverywhere } from '../sessions/end-sessions.js';
import type { OwnSessions } from '../sessions/own-sessions.js';
import { grantOn } from '../grants/recompute-grants.js';

/** Restores a platform account to its spec and records the differences in the audit log. */
export interface AccountRepairs {
  /**
   * Repairs the account. `found` describes the differences in sentences.
   * Returns the account with its current password.
   */
  repair(
    server: WorkerServer,
    database: WorkerDatabase,
    account: WorkerAccount,
    found: readonly string[],
  ): Promise<WorkerAccount>;
}

export interface RepairParts {
  readonly logins: Pick<ServerLogins, 'openProvisioner' | 'openNodeProvisioner'>;
  readonly directory: Pick<WorkerDirectory, 'replaceSecret'>;
  readonly audits: AuditOutbox;
  readonly box: SecretBox;
  readonly logger: Logger;
  readonly own: OwnSessions;
  /** Opens a session of the database's migrator to read its tables. */
  readonly openMigrator: (server: WorkerServer, database: WorkerDatabase) => Promise<AdminConnection>;
}

/**
 * The maximum number of repairs per account within `REPAIRS_WITHIN_MS`. A person who breaks an account
 * repeatedly must not keep the platform busy.
 */
const REPAIRS_MAX = 20;
const REPAIRS_WITHIN_MS = 60_000;

export function createAccountRepairs(parts: RepairParts): AccountRepairs {
  const running = new Map<string, Promise<WorkerAccount>>();
  const recent = new Map<string, number[]>();

  /** Throws `db.account_refused` when the account was repaired too often recently. */
  function assertSeldom(key: string, account: WorkerAccount): void {
    const now = performance.now();
    const times = (recent.get(key) ?? []).filter((index) => now - index < REPAIRS_WITHIN_MS);
    if (times.length >= REPAIRS_MAX)
      throw new AppError('db.account_refused', {
        retryAfterSeconds: 5,
        internal: `${account.userName} was repaired ${times.length} times within a minute`,
      });
    recent.set(key, [...times, now]);
    if (recent.size > 10_000) recent.clear();
  }

  return {
    repair(server, database, account, found) {
      const key = `${server.id} ${account.userName}`;
      const under = running.get(key);
      if (under !== undefined) return under;
      assertSeldom(key, account);
      const work = repair(parts, server, database, account, found).finally(() => running.delete(key));
      running.set(key, work);
      return work;
    },
  };
}

async function repair(
  parts: RepairParts,
  server: WorkerServer,
  database: WorkerDatabase,
  account: WorkerAccount,
  found: readonly string[],
): Promise<WorkerAccount> {
  const { logins, audits, logger } = parts;
  const ended = await withConnection(logins.openProvisioner(server), async (provisioner) => {
    const current = await renewSecret(parts, database, account);
    const password = parts.box.open(
      current.secretSealed,
      accountSecretPurpose(database.id, account.kind, account.rightsHash),
    );
    for (const statement of platformAccountStatements(
      server,
      account.userName,
      password,
      ACCOUNT_SPECS[account.kind],
    ))
      await provisioner.run(statement);
    await restoreGrants(parts, provisioner, server, database, account);
    const sessions = await endForeignSessions(parts, provisioner, server, account);
    if (sessions > 0) await endAbandoned(provisioner, server);
    return { current, sessions };
  });
  logger.warn(
    {
      server: server.id,
      database: database.id,
      kind: account.kind,
      user: account.userName,
      found,
      sessionsEnded: ended.sessions,
    },
    'a platform account was repaired',
  );
  await audits.add({
    databaseId: database.id,
    action: 'account.repair',
    target: account.userName,
    detail: { actor: 'platform', account_kind: account.kind, found, sessions_ended: ended.sessions },
  });
  return ended.current;
}

/**
 * Gives the migrator account a new password, which is stored before it is set. If the worker dies in between,
 * the account is repaired at the next login. Other accounts keep their passwords, because gateways use them.
 * During a move, the migrator also keeps its password, because both servers use it.
 */
function renewSecret(
  { directory, box }: RepairParts,
  database: WorkerDatabase,
  account: WorkerAccount,
): Promise<WorkerAccount> {
  if (!ACCOUNT_SPECS[account.kind].isLocked || database.locationState === 'moving')
    return Promise.resolve(account);
  return directory.replaceSecret(
    account,
    box.seal(generatePassword(), accountSecretPurpose(database.id, account.kind, account.rightsHash)),
  );
}

/**
 * Restores exactly the rights of the spec. Rights by table are granted last, because granting them may open
 * views.
 */
async function restoreGrants(
  { openMigrator }: RepairParts,
  provisioner: AdminConnection,
  server: WorkerServer,
  database: WorkerDatabase,
  account: WorkerAccount,
): Promise<void> {
  const spec = ACCOUNT_SPECS[account.kind];
  const quoted = quoteAccount(account.userName);
  const ownTables = `\`${database.schemaName}\`.`;
  const rows = await provisioner.rows<Record<string, string>>(`SHOW GRANTS FOR ${quoted}`);
  const { missing, extra } = diffGrants(
    quoted,
    parseGrants(rows.flatMap((row) => Object.values(row))),
    spec.grants(database.schemaName),
    (object, rights) => spec.hasTableGrants && object.startsWith(ownTables) && [...rights].every(isRowRight),
  );
  for (const statement of [...missing, ...extra]) await runUnlessTableIsMissing(provisioner, statement);
  if (!spec.hasTableGrants) return;
  const tables = await inspectSeparately(openMigrator(server, database), server.engine, (session) =>
    introspectSchema(session, database.schemaName, server.engine),
  );
  await grantOn(provisioner, database, account, tables);
}

/** Returns whether `grantOn` manages this right, which it does for rights by table and column. */
export function isRowRight(right: string): boolean {
  return /^(?:SELECT|INSERT|UPDATE|DELETE)(?: \(.*\))?$/.test(right);
}

/**
 * Runs a statement and ignores a missing table. In old databases, some side tables and the rights on them are
 * created when they are first needed.
 */
async function runUnlessTableIsMissing(provisioner: AdminConnection, statement: string): Promise<void> {
  try {
    await provisioner.run(statement);
  } catch (error) {
    if (readServerFault(error)?.errno !== NO_SUCH_TABLE) throw error;
  }
}

/**
 * Ends sessions of accounts that only workers use, if no worker has opened them. For an account that gateways
 * use, such a session cannot be distinguished from a gateway's own.
 */
async function endForeignSessions(
  { logins, own: ownSessions }: RepairParts,
  provisioner: AdminConnection,
  server: WorkerServer,
  account: WorkerAccount,
): Promise<number> {
  if (!ACCOUNT_SPECS[account.kind].isLocked) return 0;
  if (server.nodes.length > 0)
    return endSessionsEverywhere({ access: logins }, provisioner, server, account.userName, {
      reach: 'members',
    });
  return endSessions(provisioner, server, account.userName, {
    spared: ownSessions.list(server.id, account.userName),
  });
}
