import { NO_SUCH_THREAD } from '@rowhouse/errors';
import type { Duplex } from 'node:stream';
import mysql, { type Connection, type ConnectionOptions, type SslOptions } from 'mysql2';
import { readServerFault } from '../admin/admin-session.js';
import type { PoolAccount, PoolServer } from '../types.js';

/**
 * The maximum number of attempts to kill a statement. If a statement must be stopped, its server is likely to
 * respond slowly.
 */
const ATTEMPTS_MAX = 4;

/** The driver's default of 16,000 preallocates half a megabyte per connection. */
const PREPARED_STATEMENTS_MAX = 64;

/**
 * Returns the driver options of a tenant session. With them, the driver never converts a value to a type that
 * loses digits.
 */
export function toConnectionOptions(
  server: PoolServer,
  account: PoolAccount,
  connectTimeoutMs: number,
): ConnectionOptions {
  return {
    host: server.host,
    port: server.port,
    user: account.user,
    password: account.password(),
    database: account.schema,
    ...(server.tls === 'required' ? { ssl: toTlsOptions(server.ca) } : {}),
    connectTimeout: connectTimeoutMs,
    charset: 'utf8mb4_unicode_ci',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    bigNumberStrings: true,
    decimalNumbers: false,
    jsonStrings: true,
    rowsAsArray: true,
    multipleStatements: false,
    maxPreparedStatements: PREPARED_STATEMENTS_MAX,
    // Query attributes are disabled, because EXECUTE packets would then need another format.
    flags: ['-LOCAL_FILES', '-CLIENT_QUERY_ATTRIBUTES'],
    enableKeepAlive: true,
  };
}

/**
 * Returns the TLS options for a server. With `ca` (PEM), only certificates of this authority are accepted,
 * for any host name. Without it, the certificate must come from an authority known to Node and match the host
 * name, because anyone can obtain such a certificate for their own name.
 */
export function toTlsOptions(ca?: string): SslOptions {
  return {
    rejectUnauthorized: true,
    minVersion: 'TLSv1.2',
    ...(ca === undefined ? { verifyIdentity: true } : { ca }),
  };
}

/**
 * Ends a connection at once by destroying its socket. The driver's `destroy` sends a FIN and waits. A server
 * that is blocked while sending unread rows would then stay blocked despite a KILL, and keep its table lock
 * until its own timeout.
 */
export function dropConnection(connection: Connection): void {
  connection.destroy();
  (connection as unknown as { readonly stream?: Duplex }).stream?.destroy();
}

/**
 * Stops the statement that runs in another session of the same account, because closing the client side does
 * not stop it. The command is sent over a separate connection; an account may always kill statements of its
 * own sessions. Each attempt takes at most `timeoutMs`. Rejects if no attempt got a response. The session of
 * the stopped statement must not be used again.
 */
export async function killStatement(
  server: PoolServer,
  account: PoolAccount,
  threadId: number,
  timeoutMs: number,
): Promise<void> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await killOnce(server, account, threadId, timeoutMs);
    } catch (error) {
      if (readServerFault(error)?.errno === NO_SUCH_THREAD) return;
      if (attempts === ATTEMPTS_MAX) throw error;
    }
  }
}

async function killOnce(
  server: PoolServer,
  account: PoolAccount,
  threadId: number,
  timeoutMs: number,
): Promise<void> {
  const connection = mysql.createConnection(toConnectionOptions(server, account, timeoutMs));
  let timer: NodeJS.Timeout | undefined;
  try {
    await new Promise<void>((resolve, reject) => {
      timer = setTimeout(() => reject(new Error('KILL was not answered')), timeoutMs);
      connection.on('error', reject);
      connection.query(`KILL QUERY ${threadId}`, (error: Error | null) =>
        error ? reject(error) : resolve(),
      );
    });
  } finally {
    clearTimeout(timer);
    connection.destroy();
  }
}
