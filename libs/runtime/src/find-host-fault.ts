import type { ServerOptions } from 'node:http';
import { AppError } from '@rowhouse/errors';

/** For `http.createServer`, where `findHostFault` is asked of each request: Node would answer a missing Host on its own, without a word of why. */
export const HOST_OPTIONS: Pick<ServerOptions, 'requireHostHeader'> = { requireHostHeader: false };

/**
 * `request.malformed` for a request of HTTP/1.1 that does not say once which host it is for, else null. Node keeps the first of several
 * Host lines and drops the others, which a proxy in front may have gone by (RFC 9112, 3.2). `rawHeaders`: names and values in turn, as
 * Node gives them.
 */
export function findHostFault({ rawHeaders, httpVersion }: { readonly rawHeaders: readonly string[]; readonly httpVersion: string }): AppError | null {
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] as string;
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
  }
  if (hosts === 1 || (hosts === 0 && httpVersion !== '1.1')) return null;
  return new AppError('request.malformed', { detail: 'The header Host is there once in each request: not missing, and not twice.' });
}
