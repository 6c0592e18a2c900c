import { rest } from '../../rest.js';
import { ApiError } from './api-error.js';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

let csrfToken = '';
let renewCsrfToken: (() => Promise<string>) | null = null;

/** Sign-up, sign-in and `GET /api/me` hand the token over; it lives in memory only. */
export function setCsrfToken(token: string): void {
  csrfToken = token;
}

/** How to get a fresh token when the server refuses ours (another tab signed in anew). */
export function setCsrfRenewal(renew: () => Promise<string>): void {
  renewCsrfToken = renew;
}

/** One call of the control API. Throws `ApiError`. Answers undefined for 204. */
export function sendRequest<T>(method: Method, path: string, body?: unknown): Promise<T> {
  return sendBody<T>(method, path, body === undefined ? undefined : { body: JSON.stringify(body), contentType: 'application/json' });
}

interface SentBody {
  readonly body: Blob | string;
  readonly contentType: string;
}

/** The same with a body of any type. */
export async function sendBody<T>(method: Method, path: string, body: SentBody | undefined): Promise<T> {
  const answer = await fetchOnce(method, path, body);
  if (answer.status === 403 && method !== 'GET' && renewCsrfToken) {
    const refusal = await readFailure(answer);
    if (refusal.code !== 'auth.csrf') throw refusal;
    csrfToken = await renewCsrfToken();
    return readAnswer<T>(await fetchOnce(method, path, body));
  }
  return readAnswer<T>(answer);
}

async function fetchOnce(method: Method, path: string, sent: SentBody | undefined): Promise<Response> {
  const headers: Record<string, string> = { Accept: 'application/json' };
  if (sent !== undefined) headers['Content-Type'] = sent.contentType;
  // A screen asks for much at once, and to ask takes a phone some milliseconds each time.
  if (method === 'GET') await rest();
  else headers['X-CSRF-Token'] = csrfToken;
  try {
    return await fetch(path, { method, headers, credentials: 'same-origin', ...(sent === undefined ? {} : { body: sent.body }) });
  } catch {
    throw new ApiError(0, {
      detail: 'The control plane cannot be reached.',
      code: 'network.failed',
      hint: 'Check that it is running and that you are online, then try again.',
    });
  }
}

async function readAnswer<T>(answer: Response): Promise<T> {
  if (!answer.ok) throw await readFailure(answer);
  const text = await answer.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

async function readFailure(answer: Response): Promise<ApiError> {
  const body: unknown = await answer.json().catch(() => null);
  return new ApiError(answer.status, body, answer.headers.get('x-request-id'));
}
