import type { SslOptions } from 'mysql2';

/**
 * TLS to a server whose certificate has to be from the authority `ca` (PEM) and no other. Without one it has to be from an
 * authority that Node knows, and for the name that is connected to: those give certificates to everybody, for their own names.
 */
export function toTlsOptions(ca?: string): SslOptions {
  return { rejectUnauthorized: true, minVersion: 'TLSv1.2', ...(ca === undefined ? { verifyIdentity: true } : { ca }) };
}
