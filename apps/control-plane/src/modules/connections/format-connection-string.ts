/** `mysql://user:password@host:port/database`, with `?ssl=true` where the server asks for TLS. */
export function formatConnectionString(parts: {
  readonly user: string;
  readonly password: string;
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly tls: boolean;
}): string {
  const host = parts.host.includes(':') ? `[${parts.host}]` : parts.host;
  const credentials = `${encodeURIComponent(parts.user)}:${encodeURIComponent(parts.password)}`;
  return `mysql://${credentials}@${host}:${parts.port}/${encodeURIComponent(parts.database)}${parts.tls ? '?ssl=true' : ''}`;
}
