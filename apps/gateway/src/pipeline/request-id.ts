import { createId } from '@rowhouse/runtime';

const REQUEST_ID_FORM = /^[A-Za-z0-9._~:/+=@-]{1,64}$/;

/** Unguessable between processes, counted within one: 2 us of randomness per request would be a tenth of a key read. */
const prefix = `${createId('req')}`.slice(0, 16);
let count = Math.floor(Math.random() * 1_000_000);

/** The caller's own id where it is harmless, else a new one. */
export function readRequestId(given: string | readonly string[] | undefined): string {
  if (typeof given === 'string' && REQUEST_ID_FORM.test(given)) return given;
  count += 1;
  return prefix + count.toString(32).padStart(8, '0');
}
