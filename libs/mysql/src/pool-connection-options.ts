import type { ConnectionOptions } from 'mysql2';
import type { PoolAccount, PoolServer } from './pool-types.js';
import { toTlsOptions } from './to-tls-options.js';

/** The driver's default of 16,000 preallocates half a megabyte for each connection. */
const PREPARED_STATEMENTS_MAX = 64;

/** How every session of a tenant is opened: nothing is guessed, nothing is parsed into a type that loses digits. */
export function toConnectionOptions(server: PoolServer, account: PoolAccount, connectTimeoutMs: number): ConnectionOptions {
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
    // With query attributes an EXECUTE of ours would have to have another form.
    flags: ['-LOCAL_FILES', '-CLIENT_QUERY_ATTRIBUTES'],
    enableKeepAlive: true,
  };
}
