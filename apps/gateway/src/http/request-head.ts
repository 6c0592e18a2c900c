import { createId } from '@rowhouse/runtime';

const REQUEST_ID_FORM = /^[A-Za-z0-9._~:/+=@-]{1,64}$/;

/**
 * The prefix of all request ids of this process. A counter follows, because random bytes for each request
 * would take 2 µs, a tenth of a read by key.
 */
const prefix = `${createId('req')}`.slice(0, 16);

let count = Math.floor(Math.random() * 1_000_000);

/**
 * Converts the target of a request to a path, because the router supports only paths. `http://host/path`
 * becomes `/path` (RFC 9112). `*` and other forms become paths that no table has.
 */
export function toOriginForm(target: string): string {
  if (target.startsWith('/') || target.startsWith('?')) return target;
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return path.startsWith('/') ? path : `/${path}`;
}

/** Returns the caller's own id if it has a valid form, or a new one. */
export function readRequestId(provided: string | readonly string[] | undefined): string {
  if (typeof provided === 'string' && REQUEST_ID_FORM.test(provided)) return provided;
  count += 1;
  return prefix + count.toString(32).padStart(8, '0');
}
