import type { ConnectionOptions } from 'mysql2';
import type { PoolAccount, PoolServer } from '../types.js';
import { toTlsOptions } from './to-tls-options.js';

/** The driver's default of 16,000 preallocates half a megabyte per connection. */
const PREPARED_STATEMENTS_MAX = 64;

/** Returns the options of every tenant session. No value is converted to a type that loses digits. */
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
    // With query attributes, EXECUTE packets would need another format.
    flags: ['-LOCAL_FILES', '-CLIENT_QUERY_ATTRIBUTES'],
    enableKeepAlive: true,
  };
}
