import { yieldToMain } from '../../yield-to-main.js';
import { ApiError } from './api-error.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let csrfToken = '';
let renewCsrfToken: (() => Promise<string>) | null = null;

/** Stores the CSRF token in memory. Sign-up, sign-in and `GET /api/me` return it. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/**
 * Sets the function that gets a new CSRF token. It is called when the server rejects the current one, because
 * another tab has signed in again.
 */
export function setCsrfRenewal(renew: () => Promise<string>): void {
  renewCsrfToken = renew;
}

/** Calls the control API. Returns undefined for a response with status 204. Throws `ApiError`. */
export function sendRequest<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return sendBody<T>(
    method,
    path,
    body === undefined ? undefined : { body: JSON.stringify(body), contentType: 'application/json' },
  );
}

interface SentBody {
  readonly body: Blob | string;
  readonly contentType: string;
}

/** Calls the control API with a body of any type. */
export async function sendBody<T>(method: Method, path: string, body: SentBody | undefined): Promise<T> {
  const response = await fetchOnce(method, path, body);
  if (response.status === 403 && method !== 'GET' && renewCsrfToken) {
    const rejection = await readFailure(response);
    if (rejection.code !== 'auth.csrf') throw rejection;
    csrfToken = await renewCsrfToken();
    return readResponse<T>(await fetchOnce(method, path, body));
  }
  return readResponse<T>(response);
}

async function fetchOnce(method: Method, path: string, sent: SentBody | undefined): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (sent !== undefined) headers['Content-Type'] = sent.contentType;
  // Between two requests, other tasks get time to run. A screen sends many requests at once, and each takes a
  // phone some milliseconds.
  if (method === 'GET') await yieldToMain();
  else headers['X-CSRF-Token'] = csrfToken;
  try {
    return await fetch(path, {
      method,
      headers,
      credentials: 'same-origin',
      ...(sent === undefined ? {} : { body: sent.body }),
    });
  } catch {
    throw new ApiError(0, {
      detail: 'Can’t reach Rowhouse.',
      code: 'network.failed',
      hint: 'Check your connection and try again.',
    });
  }
}

async function readResponse<T>(response: Response): Promise<T> {
  if (!response.ok) throw await readFailure(response);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function readFailure(response: Response): Promise<ApiError> {
  const body: unknown = await response.json().catch(() => null);
  return new ApiError(response.status, body, response.headers.get('x-request-id'));
}

/**
 * Returns a query string such as `?status=4xx&limit=50`. Undefined members are left out. The result is empty
 * if all members are undefined.
 */
export function toSearch(members: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(members).filter(
    (entry): entry is [string, string | number] => entry[1] !== undefined && entry[1] !== '',
  );
  return set.length === 0
    ? ''
    : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)])).toString()}`;
}
