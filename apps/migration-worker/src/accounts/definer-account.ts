import { generatePassword } from '@rowhouse/credentials';
import { AppError, LOGIN_DENIED, MYSQL_ACCOUNT_LOCKED, MARIADB_ACCOUNT_LOCKED } from '@rowhouse/errors';
import { quoteName, quoteText, readServerFault, SESSIONS, type AdminConnection } from '@rowhouse/mysql';
import type { WorkerServer } from '@rowhouse/platform-store';
import { killThread } from '../servers/kill-thread.js';
import { openPrepared } from '../servers/lazy-connection.js';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';
import { quoteAccount } from './account-statements.js';
import { DEFINER_CREATE_RIGHTS, DEFINER_RIGHTS } from './grants/schema-rights.js';

/**
 * The maximum number of sessions of the definer account. Only workers open such sessions, because the account
 * is locked otherwise.
 */
const CONNECTIONS_MAX = 8;
/**
 * The maximum number of logins. Several workers may each set their own password at the same time, so a login
 * may fail.
 */
const LOGIN_ATTEMPTS_MAX = 5;
/**
 * The statement limit of the definer account. It must exceed the run time of functions that a view calls,
 * because MariaDB runs them while it creates the view. A statement waits at most 10 s for a table.
 */
const STATEMENT_SECONDS_MAX = 60;
const LOGIN_REJECTED: ReadonlySet<number> = new Set([
  LOGIN_DENIED,
  MYSQL_ACCOUNT_LOCKED,
  MARIADB_ACCOUNT_LOCKED,
]);

type DefinerContext = Pick<WorkerContext, 'access' | 'own'>;

/**
 * Returns the name of the definer account. It is the DEFINER of all views, triggers and routines that
 * Rowhouse creates in a tenant's schema.
 */
export function definerName(schemaName: string): string {
  return `${schemaName}d`;
}

/**
 * Creates the locked definer account, or restores the limits and rights of an existing one. Repeated calls
 * have the same effect.
 */
export async function ensureDefiner(
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
): Promise<void> {
  const account = quoteAccount(definerName(schemaName));
  await provisioner.run(
    `CREATE USER IF NOT EXISTS ${account} IDENTIFIED BY ${quoteText(generatePassword())} ${accountOptions(server)} ACCOUNT LOCK`,
  );
  await provisioner.run(`GRANT ${DEFINER_RIGHTS} ON ${quoteName(schemaName)}.* TO ${account}`);
}

/** Returns options that reset all attributes of the account. They are applied at each login. */
function accountOptions(server: WorkerServer): string {
  return `REQUIRE ${server.tls === 'required' ? 'SSL' : 'NONE'} WITH MAX_USER_CONNECTIONS ${CONNECTIONS_MAX} PASSWORD EXPIRE NEVER`;
}

/**
 * Opens a session of the definer account with `schemaName` as its default schema. The account is unlocked
 * only for the login, under a password that is used once. It may create views, triggers and routines until
 * the session is closed. Objects that it creates run with `DEFINER_RIGHTS`, however powerful the account that
 * deploys them.
 *
 * @throws AppError `db.unavailable` when the server keeps rejecting the login
 */
export async function openDefiner(
  ctx: DefinerContext,
  server: WorkerServer,
  schemaName: string,
): Promise<AdminConnection> {
  const account = quoteAccount(definerName(schemaName));
  const schema = quoteName(schemaName);
  return withConnection(ctx.access.openProvisioner(server), async (provisioner) => {
    await ensureDefiner(provisioner, server, schemaName);
    await provisioner.run(`GRANT ${DEFINER_CREATE_RIGHTS} ON ${schema}.* TO ${account}`);
    const session = ctx.own.hold(
      server.id,
      definerName(schemaName),
      await login(ctx, provisioner, server, schemaName),
    );
    await endOthers(ctx, provisioner, server, schemaName);
    return { ...session, close: () => closeDefiner(ctx, server, schemaName, session) };
  });
}

/**
 * Ends sessions that other processes have opened with this account. The account was unlocked for a moment, so
 * anyone with its password could have logged in.
 */
async function endOthers(
  ctx: DefinerContext,
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
): Promise<void> {
  const userName = definerName(schemaName);
  const own = ctx.own.list(server.id, userName);
  const rows = await provisioner.rows<{ id: number | string }>(
    `SELECT ID AS id FROM ${SESSIONS} WHERE USER = ?`,
    [userName],
  );
  for (const { id } of rows) if (!own.has(Number(id))) await killThread(provisioner, Number(id));
}

async function login(
  ctx: Pick<WorkerContext, 'access'>,
  provisioner: AdminConnection,
  server: WorkerServer,
  schemaName: string,
): Promise<AdminConnection> {
  const account = quoteAccount(definerName(schemaName));
  for (let attempt = 1; ; attempt += 1) {
    const password = generatePassword();
    await provisioner.run(
      `ALTER USER ${account} IDENTIFIED BY ${quoteText(password)} ${accountOptions(server)} ACCOUNT UNLOCK`,
    );
    try {
      return await openPrepared(
        ctx.access.openAs(server, definerName(schemaName), password, schemaName),
        async (session) => {
          if (server.engine === 'mariadb')
            await session.run(`SET SESSION max_statement_time = ${STATEMENT_SECONDS_MAX}`);
        },
      );
    } catch (error) {
      if (!isRejected(error) || attempt === LOGIN_ATTEMPTS_MAX) throw error;
    } finally {
      await provisioner.run(`ALTER USER ${account} ACCOUNT LOCK`);
    }
  }
}

function isRejected(error: unknown): boolean {
  const cause = error instanceof AppError ? error.cause : error;
  return LOGIN_REJECTED.has(readServerFault(cause)?.errno ?? 0);
}

/**
 * Closes the session and revokes the rights to create objects. If a worker dies before the revocation, the
 * locked account keeps these rights until the next session is closed.
 */
async function closeDefiner(
  ctx: Pick<WorkerContext, 'access'>,
  server: WorkerServer,
  schemaName: string,
  session: AdminConnection,
): Promise<void> {
  await session.close();
  await withConnection(ctx.access.openProvisioner(server), (provisioner) =>
    provisioner.run(
      `REVOKE ${DEFINER_CREATE_RIGHTS} ON ${quoteName(schemaName)}.* FROM ${quoteAccount(definerName(schemaName))}`,
    ),
  );
}

const STORED_OBJECT =
  /^(?:CREATE|ALTER)\s+(OR\s+REPLACE\s+)?(?:ALGORITHM\s*=\s*\w+\s+)?(?:SQL\s+SECURITY\s+\w+\s+)?(?:AGGREGATE\s+)?(VIEW|TRIGGER|PROCEDURE|FUNCTION)\b/i;

/**
 * Returns whether a planned statement creates or replaces a view, trigger or routine.
 * The session's account becomes its definer.
 */
export function createsStoredObject(sql: string): boolean {
  return STORED_OBJECT.test(sql);
}

/**
 * Returns whether a planned statement may replace a view. For that, servers require the DROP right on the
 * view.
 */
export function replacesView(sql: string): boolean {
  const found = STORED_OBJECT.exec(sql);
  return found?.[2]?.toUpperCase() === 'VIEW' && (found[1] !== undefined || /^ALTER/i.test(sql));
}

/**
 * Lets the definer account replace one view while `callback` runs. The grant includes CREATE, because engines
 * otherwise reject a grant on a view that does not exist yet.
 */
export async function withViewDrop<T>(
  provisioner: AdminConnection,
  schemaName: string,
  view: string,
  callback: () => Promise<T>,
): Promise<T> {
  const target = `${quoteName(schemaName)}.${quoteName(view)}`;
  const account = quoteAccount(definerName(schemaName));
  await provisioner.run(`GRANT CREATE, DROP ON ${target} TO ${account}`);
  try {
    return await callback();
  } finally {
    await provisioner.run(`REVOKE CREATE, DROP ON ${target} FROM ${account}`);
  }
}
