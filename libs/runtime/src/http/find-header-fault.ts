import type { ServerOptions } from 'node:http';
import { AppError } from '@rowhouse/errors';

/**
 * Options for `http.createServer` when `findHeaderFault` checks each request. Otherwise Node itself rejects a
 * missing Host, without an explanation.
 */
export const HOST_OPTIONS: Pick<ServerOptions, 'requireHostHeader'> = { requireHostHeader: false };

/**
 * Headers that allow a single value, by lower-case name. For some of them Node drops all but the first line,
 * and for others it joins the lines.
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
/** Matches two credentials on one line. A proxy produces such a line when it joins two header lines. */
const JOINED_BEARER = /(?:^|,)[ \t]*bearer[ \t][^,]*,|,[ \t]*bearer[ \t]/i;

type Head = Pick<
  { readonly rawHeaders: readonly string[]; readonly httpVersion: string },
  'rawHeaders' | 'httpVersion'
>;

/**
 * Returns what is wrong with the headers of a request, or null. A request of HTTP/1.1 must have exactly one
 * Host (RFC 9112, section 3.2), otherwise the error is `request.malformed`. A repeated header that allows a
 * single value gives `request.bad_header`, because recipients differ in which value they use.
 *
 * `rawHeaders` alternates names and values, as in Node.
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

/** A comma shows that two values were joined, because API keys contain no commas. */
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
