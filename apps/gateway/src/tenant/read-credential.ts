import type { IncomingHttpHeaders } from 'node:http';
import { AppError } from '@rowhouse/errors';
import type { CredentialHasher } from './credential-hasher.js';

const BEARER = /^bearer[ \t]+(\S+)[ \t]*$/i;
const CHALLENGE = { 'WWW-Authenticate': 'Bearer' } as const;

/**
 * The HMAC of the API key in the headers, in hex. The first non-empty of X-Gibson-API-Key, X-API-Key and Bearer
 * decides; a bad one is 401, whatever else is there. Junk fails its checksum here, without a look-up.
 */
export function readCredential(headers: IncomingHttpHeaders, hashKey: CredentialHasher): string {
  const key = findKey(headers);
  if (key === null) throw new AppError('auth.missing_key', { headers: CHALLENGE });
  const keyHash = hashKey(key);
  if (keyHash === null) throw invalidKey('checksum', hintScheme(headers));
  return keyHash;
}

/** Whether the request tries to show a key at all. */
export function hasCredential(headers: IncomingHttpHeaders): boolean {
  return findKey(headers) !== null;
}

export function invalidKey(internal: string, hint: string | null = null): AppError {
  return new AppError('auth.invalid_key', { headers: CHALLENGE, internal, ...(hint === null ? {} : { hint }) });
}

/** What is wrong with the form of an Authorization header that is not `Bearer` and one word; else null. */
function hintScheme(headers: IncomingHttpHeaders): string | null {
  const authorization = readHeader(headers.authorization);
  if (authorization === '' || readHeader(headers['x-gibson-api-key']) !== '' || readHeader(headers['x-api-key']) !== '' || BEARER.test(authorization)) return null;
  const way = 'Send the key as "Authorization: Bearer rh_…", or in the header X-API-Key.';
  if (/^basic(?:[ \t]|$)/i.test(authorization)) return `Basic authentication is not read here. ${way}`;
  return /^\S+$/.test(authorization) ? `The word Bearer is missing before the key. ${way}` : way;
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

/** A header sent twice has no one value: it is refused like any bad key. */
function readHeader(value: string | readonly string[] | undefined): string {
  return typeof value === 'string' ? value.trim() : value === undefined ? '' : value.join(',');
}
