import {
  connectionSecretPurpose,
  type ConnectionTestResult,
  type SignInFault,
  type TaskPayload,
  type TaskResult,
} from '@rowhouse/contracts';
import { AppError } from '@rowhouse/errors';
import { openAdminConnection, readServerFault, type AdminConnection } from '@rowhouse/mysql';
import { withConnection } from '../servers/server-access.js';
import type { WorkerContext } from '../worker-context.js';

const ANSWER_MS_MAX = 5_000;
const FAULTS: ReadonlyMap<number, SignInFault> = new Map([
  [1045, 'password'],
  [1698, 'password'],
  [3118, 'locked'],
  [4151, 'locked'],
  [1040, 'sessions'],
  [1203, 'sessions'],
  [1226, 'sessions'],
]);

/**
 * Logs in with a user's password, as the user's program would. If the address in the connection string does
 * not respond, the server's own address is tried, because the first one may be reachable only from outside.
 * Throws `db.unavailable` if neither responds.
 */
export async function testConnection(
  ctx: Pick<WorkerContext, 'access' | 'box' | 'directory'>,
  payload: TaskPayload<'test_connection'>,
): Promise<TaskResult<'test_connection'>> {
  const { database, server } = await ctx.directory.readPlace(payload.database_id);
  const { user_name: user, tls, ca } = payload;
  const password = ctx.box.open(
    Buffer.from(payload.password_sealed, 'base64'),
    connectionSecretPurpose(payload.connection_id),
  );
  const openAt = ({ host, port }: { host: string; port: number }): Promise<AdminConnection> =>
    openAdminConnection({
      host,
      port,
      user,
      password,
      database: database.schemaName,
      tls: tls ? 'required' : 'off',
      statementTimeoutMs: ANSWER_MS_MAX,
      ...(ca === null ? {} : { ca }),
    });
  const outside = await tryOut(() => openAt(payload)).catch(() => null);
  if (outside?.fault === null) return { ...outside, reaches_address: true };
  // An account that requires TLS needs TLS here too, even if the platform's own sessions use none.
  const inside = await tryOut(() =>
    tls && server.tls === 'off'
      ? openAt(server)
      : ctx.access.openAs(server, user, password, database.schemaName),
  );
  // If both addresses reject the login, they belong to the same server.
  return { ...inside, reaches_address: outside !== null && inside.fault !== null };
}

/** Returns a rejection as a result. Throws errors that are not a server's response. */
async function tryOut(
  open: () => Promise<AdminConnection>,
): Promise<Omit<ConnectionTestResult, 'reaches_address'>> {
  const startedAt = performance.now();
  const tookMs = (): number => Math.round((performance.now() - startedAt) * 10) / 10;
  try {
    const [found] = await withConnection(open(), (connection) =>
      connection.rows<{ version: string; seen: number }>(
        'SELECT VERSION() AS version, COUNT(*) AS seen FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()',
      ),
    );
    return {
      fault: null,
      server_version: String(found?.version),
      tables: Number(found?.seen),
      took_ms: tookMs(),
    };
  } catch (error) {
    const fault = readServerFault(error) ?? readServerFault((error as Error).cause);
    if (fault === null) throw error;
    if (fault.errno === 0 || fault.isConnectionLost)
      throw error instanceof AppError
        ? error
        : new AppError('db.unavailable', {
            internal: `sign in as a connection user: ${fault.message}`,
            cause: error,
          });
    return {
      fault: FAULTS.get(fault.errno) ?? 'other',
      server_version: null,
      tables: null,
      took_ms: tookMs(),
    };
  }
}
