/** The name under which everything that is told of it expects the authority's certificate. */
export const CA_FILE_NAME = 'rowhouse-ca.pem';

/**
 * `mysql://user:password@host:port/database`. Where the server asks for TLS, with the parameters that MySQL's own clients
 * know: against an authority of one's own `VERIFY_CA`, since it has given no certificate to anybody else.
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
