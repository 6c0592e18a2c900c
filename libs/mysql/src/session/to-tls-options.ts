import type { SslOptions } from 'mysql2';

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
