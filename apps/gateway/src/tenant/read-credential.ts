import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@rowhouse/errors';
import type { CredentialHasher } from './credential-hasher.js';

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/**
 * Returns the hex HMAC of the API key in the headers. Only the first non-empty header counts, in the order
 * X-Gibson-API-Key, X-API-Key, Authorization.
 *
 * @throws AppError 401 `auth.missing_key`, or `auth.invalid_key` when the checksum of the key is wrong
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

/** Returns the value of a header. Two values are joined, so that an ambiguous key is rejected as invalid. */
function readHeader(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : value.join(',');
}
