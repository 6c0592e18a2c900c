import { API_PREFIX } from '@rowhouse/contracts/constants';
import type { DatabaseResponse } from '@rowhouse/contracts';
import { ApiError } from '../client/api-error.js';
import { parseExactJson } from './exact-json.js';
import { dropSessionKey, readSessionKey, type KeyPurpose } from './session-keys.js';

const LONG = '_tables/';

export type GatewayDatabase = Pick<DatabaseResponse, 'id' | 'base_url'>;

export interface GatewayRequest {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** The path below the data API, such as `/posts?limit=3`. */
  readonly path: string;
  /** The request body. Strings and Blobs are sent unchanged, and other values as JSON. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
  readonly purpose?: KeyPurpose;
}

/**
 * Calls the data API of a database with the key that the console created for itself. Throws `ApiError`, or an
 * `AbortError` if `signal` aborts.
 */
export async function callGateway(database: GatewayDatabase, request: GatewayRequest): Promise<Response> {
  const { secret } = await readSessionKey(database.id, request.purpose);
  const response = await callOnce(database, request, secret);
  if (response.ok) return response;
  const rejection = new ApiError(
    response.status,
    await response.json().catch(() => null),
    response.headers.get('x-request-id'),
  );
  if (rejection.status !== 401) throw rejection;
  // The gateway rejected the key, because it expired or the member's role changed. A new key has the current
  // permissions.
  dropSessionKey(database.id, request.purpose, secret);
  const next = await readSessionKey(database.id, request.purpose);
  const secondResponse = await callOnce(database, request, next.secret);
  if (secondResponse.ok) return secondResponse;
  throw new ApiError(
    secondResponse.status,
    await secondResponse.json().catch(() => null),
    secondResponse.headers.get('x-request-id'),
  );
}

/** Calls the data API like `callGateway` and parses the response body. All digits of numbers are kept. */
export async function readGateway<T>(
  database: GatewayDatabase,
  request: GatewayRequest,
): Promise<{ readonly body: T; readonly headers: Headers }> {
  const response = await callGateway(database, request);
  const text = await response.text();
  return { body: (text === '' ? undefined : parseExactJson(text)) as T, headers: response.headers };
}

async function callOnce(
  database: GatewayDatabase,
  { method = 'GET', path, body, headers, signal }: GatewayRequest,
  secret: string,
): Promise<Response> {
  const isRaw = typeof body === 'string' || body instanceof Blob;
  try {
    return await fetch(toGatewayAddress(database.base_url, path), {
      method,
      headers: {
        Authorization: `Bearer ${secret}`,
        Accept: 'application/json',
        ...(body === undefined || isRaw ? {} : { 'Content-Type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: isRaw ? body : JSON.stringify(body) }),
      ...(signal === undefined ? {} : { signal }),
    });
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    throw toUnreachable(database.base_url);
  }
}

/** Creates the error for a request to the gateway that got no response. */
export function toUnreachable(baseUrl: string): ApiError {
  return new ApiError(0, {
    detail: `The gateway at ${baseUrl} can’t be reached from this browser.`,
    code: 'network.failed',
    hint: 'Check your connection and try again.',
  });
}

/** Returns the URL of a path of the data API. `baseUrl` may or may not contain the prefix `/v1/-`. */
export function toGatewayAddress(baseUrl: string, path: string): string {
  const base = baseUrl.replace(/\/+$/, '');
  const prefix = base.endsWith(API_PREFIX) ? '' : API_PREFIX;
  return `${base}${prefix}${path.startsWith('/') ? path : `/${path}`}`;
}

/** Returns the path of a table below the data API. Special characters in the table name are escaped. */
export function toTablePath({ path }: { readonly path: string }): string {
  return path.startsWith(LONG)
    ? `/${LONG}${encodeURIComponent(path.slice(LONG.length))}`
    : `/${encodeURIComponent(path)}`;
}
