import type { ServerOptions } from 'node:http';
import { AppError } from '@rowhouse/errors';

/**
 * The options for `http.createServer` if `findHeaderFault` checks each request. Without them, Node itself
 * rejects a request without Host, and gives no reason.
 */
export const HOST_OPTIONS: Pick<ServerOptions, 'requireHostHeader'> = { requireHostHeader: false };

/**
 * The headers that may have only a single value, by their lower-case name. If such a header is repeated, Node
 * ignores all but the first line, or joins the lines.
 */
const SINGLE: ReadonlyMap<string, string> = new Map(
  [
    'Host',
    'Authorization',
    'X-API-Key',
    'X-Gibson-API-Key',
    'Idempotency-Key',
    'Content-Type',
    'Content-Length',
    'Content-Encoding',
    'X-CSRF-Token',
    'Origin',
  ].map((name) => [name.toLowerCase(), name]),
);
const LENGTHS: ReadonlySet<number> = new Set([...SINGLE.keys()].map((name) => name.length));
/** Matches two credentials on one line. A proxy creates such a line if it joins two header lines. */
const JOINED_BEARER = /(?:^|,)[ \t]*bearer[ \t][^,]*,|,[ \t]*bearer[ \t]/i;

type Head = Pick<
  { readonly rawHeaders: readonly string[]; readonly httpVersion: string },
  'rawHeaders' | 'httpVersion'
>;

/**
 * Returns the error for the headers of a request. Returns null if they are valid. A request of HTTP/1.1 must
 * have exactly one Host (RFC 9112, section 3.2). Otherwise, the error is `request.malformed`. If a header
 * that may have only a single value is repeated, the error is `request.bad_header`, because recipients differ
 * in the value that they use.
 *
 * As in Node, `rawHeaders` contains names and values in alternation.
 */
export function findHeaderFault({ rawHeaders, httpVersion }: Head): AppError | null {
  let seen: string[] | null = null;
  let hosts = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const provided = rawHeaders[index] as string;
    if (!LENGTHS.has(provided.length)) continue;
    const name = provided.toLowerCase();
    if (name === 'host') {
      hosts += 1;
      continue;
    }
    const visible = SINGLE.get(name);
    if (visible === undefined) continue;
    if (seen?.includes(name) === true || isJoined(name, rawHeaders[index + 1] as string))
      return sentTwice(visible);
    (seen ??= []).push(name);
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1') ? null : unclearHost();
}

/** A comma shows that two values were joined, because an API key never contains a comma. */
function isJoined(name: string, value: string): boolean {
  if (!value.includes(',')) return false;
  return name === 'authorization'
    ? JOINED_BEARER.test(value)
    : name === 'x-api-key' || name === 'x-gibson-api-key';
}

function sentTwice(name: string): AppError {
  return new AppError('request.bad_header', {
    detail: `The header ${name} has more than one value.`,
    hint: `Send ${name} once.`,
  });
}

function unclearHost(): AppError {
  return new AppError('request.malformed', {
    detail: 'A request must have exactly one Host header.',
  });
}
