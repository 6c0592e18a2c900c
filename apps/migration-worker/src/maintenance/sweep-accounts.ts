import {
  SCHEMA_ACCESS_DENIED,
  TABLE_ACCESS_DENIED,
  COLUMN_ACCESS_DENIED,
  ROUTINE_ACCESS_DENIED,
} from '@rowhouse/errors';
import { setImmediate as nextTick } from 'node:timers/promises';
import { accountSecretPurpose, sideSchemaName } from '@rowhouse/contracts';
import { readServerFault, type AdminConnection } from '@rowhouse/mysql';
import type { AccountWithSchema, WorkerServer } from '@rowhouse/platform-store';
import { quoteAccount, ACCOUNT_SPECS } from '../accounts/account-statements.js';
import { compareAccount, NOT_LOCKED, OTHER_LIMIT } from '../accounts/repair/compare-account.js';
import { definerName } from '../accounts/definer-account.js';
import { HOLD_LEASE_MS } from '../detector/watch-server.js';
import {
  readAccounts,
  type GrantRow,
  type ServerAccount,
  type ServerAccounts,
} from '../accounts/read-accounts.js';
import { isStoredPassword } from '../accounts/repair/stored-password.js';
import { withConnection } from '../servers/server-access.js';
import { REJECTED_TOPIC } from '../servers/server-marks.js';
import type { WorkerContext } from '../worker-context.js';
import { endForgottenSessions } from './end-forgotten-sessions.js';

/** Finds and repairs accounts that differ from the platform's spec. */
export interface AccountSweep {
  /** Checks all platform accounts of a server. Returns how many were repaired. */
  run(server: WorkerServer): Promise<number>;
  /** Checks the accounts of one database. */
  runFor(databaseId: string): Promise<number>;
}

/** The maximum number of repairs in one sweep. The next sweep continues with the remaining accounts. */
const REPAIRS_MAX = 100;
/**
 * The maximum number of passwords that are checked in one sweep. Computing a salted hash takes some
 * milliseconds, so the result is cached until the stored hash changes.
 */
const PASSWORDS_MAX = 200;
const VERIFIED_MAX = 50_000;
const ACCESS_DENIED: ReadonlySet<number> = new Set([
  SCHEMA_ACCESS_DENIED,
  TABLE_ACCESS_DENIED,
  COLUMN_ACCESS_DENIED,
  ROUTINE_ACCESS_DENIED,
]);
const UNKNOWN_TOPIC = 'Unknown accounts';
const NAMED_MAX = 10;
const UNREADABLE_TOPIC = 'The provisioner cannot read the accounts';

type SweepContext = Pick<
  WorkerContext,
  'access' | 'audits' | 'box' | 'detects' | 'directory' | 'logger' | 'own' | 'repairs'
>;

export function createAccountSweep(ctx: SweepContext): AccountSweep {
  /** The stored passwords that were verified to be the platform's. */
  const verified = new Map<string, string>();
  /** Sessions that no worker seemed to hold at the previous sweep. */
  const suspects = new Map<string, ReadonlySet<number>>();

  async function run(server: WorkerServer): Promise<number> {
    // Only the worker that watches the server continues. Two workers would report the same findings.
    if (!(await ctx.detects.holdServer(server.id, HOLD_LEASE_MS))) return 0;
    const accounts = await ctx.directory.listAccountsOfServer(server.id);
    if (accounts.length === 0) return 0;
    const read = await withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
      await endForgottenSessions(ctx, provisioner, server, { accounts, suspects });
      return readOrAdvise(ctx, provisioner, server);
    });
    if ((server.capabilities?.advice ?? []).some((sentence) => sentence.startsWith(REJECTED_TOPIC)))
      await ctx.directory.advise(server.id, REJECTED_TOPIC, null);
    if (read === null) return 0;
    await adviseUnknown(ctx, server, accounts, read);
    await lockDefiners(ctx, server, accounts, read);
    return repairAll(ctx, server, accounts, read, verified);
  }

  return {
    run,
    async runFor(databaseId) {
      const { database, server } = await ctx.directory.readPlace(databaseId);
      if (database.isDeleted || database.provisionState !== 'ready' || database.locationState === 'moving')
        return 0;
      const accounts = (await ctx.directory.listAccounts(databaseId)).map((account) => ({
        ...account,
        schemaName: database.schemaName,
      }));
      const read = await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
        readOrAdvise(ctx, provisioner, server),
      );
      return read === null ? 0 : repairAll(ctx, server, accounts, read, verified);
    },
  };
}

async function readOrAdvise(
  ctx: SweepContext,
  provisioner: AdminConnection,
  server: WorkerServer,
): Promise<ServerAccounts | null> {
  try {
    return await readAccounts(provisioner, server.engine);
  } catch (error) {
    if (!ACCESS_DENIED.has(readServerFault(error)?.errno ?? 0)) throw error;
    await ctx.directory.advise(
      server.id,
      UNREADABLE_TOPIC,
      `${UNREADABLE_TOPIC}: changed accounts are repaired only when a login fails. Grant it SELECT ` +
        'ON mysql.*.',
    );
    return null;
  }
}

async function repairAll(
  ctx: SweepContext,
  server: WorkerServer,
  accounts: readonly AccountWithSchema[],
  read: ServerAccounts,
  verified: Map<string, string>,
): Promise<number> {
  if (verified.size > VERIFIED_MAX) verified.clear();
  const grants = groupByUser(read.grants);
  let passwords = 0;
  let repaired = 0;
  for (const account of accounts) {
    const present = read.accounts.get(account.userName) ?? null;
    const known = present !== null && verified.get(account.userName) === present.stored.toString('latin1');
    const isLooked = present !== null && !known && passwords < PASSWORDS_MAX;
    if (isLooked) {
      passwords += 1;
      await nextTick();
    }
    const isPasswordOurs = known || (isLooked ? verify(ctx, account, present, verified) : null);
    const found = compareAccount({
      server,
      account,
      present,
      grants: grants.get(account.userName) ?? [],
      isPasswordOurs,
      isInUse: ctx.own.list(server.id, account.userName).size > 0,
    });
    if (found.length > 0 && repaired < REPAIRS_MAX && (await repairOne(ctx, server, account, found)))
      repaired += 1;
  }
  return repaired;
}

/**
 * Returns whether the stored password is the platform's. Returns null when the stored form cannot be
 * compared.
 */
function verify(
  ctx: SweepContext,
  account: AccountWithSchema,
  present: ServerAccount,
  verified: Map<string, string>,
): boolean | null {
  const password = ctx.box.open(
    account.secretSealed,
    accountSecretPurpose(account.databaseId, account.kind, account.rightsHash),
  );
  const isOurs = isStoredPassword(password, present);
  if (isOurs === true) verified.set(account.userName, present.stored.toString('latin1'));
  return isOurs;
}

/**
 * Reads the account again and repairs it. The account may have changed since it was read: another worker may
 * have opened a session or set a new password.
 */
async function repairOne(
  ctx: SweepContext,
  server: WorkerServer,
  account: AccountWithSchema,
  found: readonly string[],
): Promise<boolean> {
  try {
    const database = await ctx.directory.readDatabase(account.databaseId);
    const current = await ctx.directory.findAccount(account);
    if (
      current === null ||
      database.isDeleted ||
      database.serverId !== server.id ||
      !current.secretSealed.equals(account.secretSealed)
    )
      return false;
    if (isAligned(account, found)) {
      await align(ctx, server, account);
      return true;
    }
    await ctx.repairs.repair(server, database, current, found);
    return true;
  } catch (error) {
    ctx.logger.warn(
      { server: server.id, user: account.userName, found, err: error },
      'a platform account could not be repaired',
    );
    return false;
  }
}

/**
 * Returns whether the difference can exist without an intruder. If a worker dies between login and lock, the
 * account stays unlocked, and earlier versions created accounts without these limits. In these cases, the
 * password is not changed and nothing is recorded.
 */
function isAligned({ kind }: AccountWithSchema, found: readonly string[]): boolean {
  return (
    !ACCOUNT_SPECS[kind].hasTableGrants && found.every((item) => item === NOT_LOCKED || item === OTHER_LIMIT)
  );
}

function align(
  ctx: SweepContext,
  server: WorkerServer,
  { kind, userName }: AccountWithSchema,
): Promise<void> {
  const spec = ACCOUNT_SPECS[kind];
  const lock = spec.isLocked ? ' ACCOUNT LOCK' : '';
  return runAsProvisioner(
    ctx,
    server,
    `ALTER USER IF EXISTS ${quoteAccount(userName)} WITH MAX_USER_CONNECTIONS ${spec.limits(server).connectionsMax}${lock}`,
  );
}

/**
 * Locks definer accounts that are unlocked, unless a worker is using them. Each login sets the account's
 * password and limits again.
 */
async function lockDefiners(
  ctx: SweepContext,
  server: WorkerServer,
  accounts: readonly AccountWithSchema[],
  { accounts: present }: ServerAccounts,
): Promise<void> {
  const isOpen = (userName: string): boolean => present.get(userName)?.isLocked === false;
  const open = accounts.filter(
    ({ kind, schemaName }) => kind === 'migrator' && isOpen(definerName(schemaName)),
  );
  if (open.length === 0) return;
  const busy = await ctx.directory.listBusyDatabases(server.id);
  for (const { databaseId, schemaName } of open)
    if (!busy.has(databaseId))
      await runAsProvisioner(
        ctx,
        server,
        `ALTER USER IF EXISTS ${quoteAccount(definerName(schemaName))} ACCOUNT LOCK`,
      );
}

async function runAsProvisioner(ctx: SweepContext, server: WorkerServer, sql: string): Promise<void> {
  await withConnection(ctx.access.openProvisioner(server), (provisioner) => provisioner.run(sql));
}

/** Reports unknown accounts to the operator. Tenants cannot create accounts. */
async function adviseUnknown(
  ctx: SweepContext,
  server: WorkerServer,
  accounts: readonly AccountWithSchema[],
  { grants }: ServerAccounts,
): Promise<void> {
  const schemas = new Set(accounts.flatMap(({ schemaName }) => [schemaName, sideSchemaName(schemaName)]));
  const known = new Set([
    ...accounts.flatMap(({ userName, schemaName }) => [userName, definerName(schemaName)]),
    ...(await ctx.directory.listConnectionUserNames(server.id)),
  ]);
  const unknown = [
    ...new Set(
      grants
        .filter(({ schema, userName }) => schemas.has(schema) && !known.has(userName))
        .map(({ userName }) => userName),
    ),
  ].sort();
  const named = `${unknown.slice(0, NAMED_MAX).join(', ')}${unknown.length > NAMED_MAX ? ` and ${unknown.length - NAMED_MAX} more` : ''}`;
  await ctx.directory.advise(
    server.id,
    UNKNOWN_TOPIC,
    unknown.length === 0
      ? null
      : `${UNKNOWN_TOPIC} have rights on its databases: ${named}. Drop those that you did not create.`,
  );
}

function groupByUser(grants: readonly GrantRow[]): Map<string, GrantRow[]> {
  const byUser = new Map<string, GrantRow[]>();
  for (const grant of grants) {
    const own = byUser.get(grant.userName);
    if (own === undefined) byUser.set(grant.userName, [grant]);
    else own.push(grant);
  }
  return byUser;
}
