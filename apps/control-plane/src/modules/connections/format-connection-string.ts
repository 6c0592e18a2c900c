import { CA_FILE_NAME } from '@rowhouse/contracts';

/**
 * Formats `mysql://user:password@host:port/database`, with TLS parameters of MySQL's own clients if the
 * server requires TLS. For a private authority it uses `VERIFY_CA`, because such an authority signs no other
 * certificates.
 */
export function formatConnectionString(parts: {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly tls: boolean;
  readonly ca: string | null;
}): string {
  const host = parts.host.includes(':') ? `[${parts.host}]` : parts.host;
  const credentials = `${encodeURIComponent(parts.user)}:${encodeURIComponent(parts.password)}`;
  return `mysql://${credentials}@${host}:${parts.port}/${encodeURIComponent(parts.database)}${parts.tls ? formatTls(parts.ca !== null) : ''}`;
}

function formatTls(hasOwnAuthority: boolean): string {
  return hasOwnAuthority ? `?ssl-mode=VERIFY_CA&ssl-ca=${CA_FILE_NAME}` : '?ssl-mode=VERIFY_IDENTITY';
}

/**
 * Returns the host in the connection strings of a database. With `{database}`, each database has its own
 * name, which the operator's DNS points to its current server. The name stays the same when the database is
 * moved.
 */
export function toDirectHost(publicHost: string, schemaName: string): string {
  return publicHost.replaceAll('{database}', schemaName);
}
