import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@rowhouse/errors';
import type { CredentialHasher } from './credential-hasher.js';

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/**
 * Returns the hex HMAC of the API key in the headers. The first non-empty header of X-Gibson-API-Key,
 * X-API-Key and Authorization (Bearer) decides. An invalid value there causes a 401, even when another header
 * holds a valid key. A malformed key fails its checksum here, without a lookup.
 */
export function readCredential(headers: IncomingHttpHeaders, hashKey: CredentialHasher): string {
  const key = findKey(headers);
  if (key === null) throw new AppError('auth.missing_key', { headers: CHALLENGE });
  const keyHash = hashKey(key);
  if (keyHash === null) throw invalidKey('checksum', hintScheme(headers));
  return keyHash;
}

/** Returns whether the request contains a credential, valid or not. */
export function hasCredential(headers: IncomingHttpHeaders): boolean {
  return findKey(headers) !== null;
}

export function invalidKey(internal: string, hint: string | null = null): AppError {
  return new AppError('auth.invalid_key', {
    headers: CHALLENGE,
    internal,
    ...(hint === null ? {} : { hint }),
  });
}

/**
 * Describes the error in an Authorization header that is not `Bearer` with one token. Returns null when the
 * header is correct or not used.
 */
function hintScheme(headers: IncomingHttpHeaders): string | null {
  const authorization = readHeader(headers.authorization);
  if (
    authorization === '' ||
    readHeader(headers['x-gibson-api-key']) !== '' ||
    readHeader(headers['x-api-key']) !== '' ||
    BEARER.test(authorization)
  )
    return null;
  const method = 'Send the key as "Authorization: Bearer rh_…", or in the header X-API-Key.';
  if (/^basic(?:[ \t]|$)/i.test(authorization)) return `Basic authentication is not supported. ${method}`;
  return /^\S+$/.test(authorization) ? `The word Bearer is missing before the key. ${method}` : method;
}

export function expiredKey(): AppError {
  return new AppError('auth.expired_key', { headers: CHALLENGE });
}

function findKey(headers: IncomingHttpHeaders): string | null {
  const own = readHeader(headers['x-gibson-api-key']) || readHeader(headers['x-api-key']);
  if (own !== '') return own;
  const authorization = readHeader(headers.authorization);
  if (authorization === '') return null;
  return BEARER.exec(authorization)?.[1] ?? '';
}

/** A header sent twice is ambiguous. Its joined value is rejected like any invalid key. */
function readHeader(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : value.join(',');
}
