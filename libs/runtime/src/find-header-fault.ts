import type { ServerOptions } from 'node:http';
import { AppError } from '@rowhouse/errors';

/** For `http.createServer`, where `findHeaderFault` is asked of each request: Node would answer a missing Host on its own, without a word of why. */
export const HOST_OPTIONS: Pick<ServerOptions, 'requireHostHeader'> = { requireHostHeader: false };

/** Headers with one value, by their names in small letters. Node drops all but the first of some, and joins those of others. */
const SINGLE: ReadonlyMap<string, string> = new Map([
  'Host', 'Authorization', 'X-API-Key', 'X-Gibson-API-Key', 'Idempotency-Key', 'Content-Type', 'Content-Length', 'Content-Encoding', 'X-CSRF-Token', 'Origin',
].map((name) => [name.toLowerCase(), name]));
const LENGTHS: ReadonlySet<number> = new Set([...SINGLE.keys()].map((name) => name.length));
/** Two credentials on one line, as a proxy joins two lines. */
const JOINED_BEARER = /(?:^|,)[ \t]*bearer[ \t][^,]*,|,[ \t]*bearer[ \t]/i;

type Head = Pick<{ readonly rawHeaders: readonly string[]; readonly httpVersion: string }, 'rawHeaders' | 'httpVersion'>;

/**
 * What is wrong with the headers of a request, else null: `request.malformed` where HTTP/1.1 does not name its host once
 * (RFC 9112, 3.2), `request.bad_header` where another header with one value comes twice. Which of two counts would
 * depend on who reads them. `rawHeaders`: names and values in turn, as Node gives them.
 */
export function findHeaderFault({ rawHeaders, httpVersion }: Head): AppError | null {
  let seen: string[] | null = null;
  let hosts = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const given = rawHeaders[at] as string;
    if (!LENGTHS.has(given.length)) continue;
    const name = given.toLowerCase();
    if (name === 'host') {
      hosts += 1;
      continue;
    }
    const shown = SINGLE.get(name);
    if (shown === undefined) continue;
    if (seen?.includes(name) === true || isJoined(name, rawHeaders[at + 1] as string)) return sentTwice(shown);
    (seen ??= []).push(name);
  }
  return hosts === 1 || (hosts === 0 && httpVersion !== '1.1') ? null : unclearHost();
}

/** No key holds a comma. */
function isJoined(name: string, value: string): boolean {
  if (!value.includes(',')) return false;
  return name === 'authorization' ? JOINED_BEARER.test(value) : name === 'x-api-key' || name === 'x-gibson-api-key';
}

function sentTwice(name: string): AppError {
  return new AppError('request.bad_header', { detail: `The header ${name} has more than one value.`, hint: `Send ${name} once.` });
}

function unclearHost(): AppError {
  return new AppError('request.malformed', { detail: 'The header Host is there once in each request: not missing, and not twice.' });
}
