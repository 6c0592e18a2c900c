import { toGatewayAddress } from './gateway-address.js';
import { toUnreachable } from './to-unreachable.js';

export interface GatewayCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the data API, such as `/posts?limit=3`. */
  readonly path: string;
  readonly body?: unknown;
}

/** A response: the text as sent, and the duration of the call. */
export interface GatewayAnswer {
  readonly status: number;
  readonly statusText: string;
  readonly tookMs: number;
  readonly text: string;
  readonly requestId: string | null;
}

/** Calls the gateway from the browser with a key. Throws `ApiError` without a response. */
export async function runCall(baseUrl: string, secret: string, call: GatewayCall): Promise<GatewayAnswer> {
  const startedAt = performance.now();
  const answer = await fetch(toGatewayAddress(baseUrl, call.path), {
    method: call.method,
    headers: {
      Authorization: `Bearer ${secret}`,
      Accept: 'application/json',
      ...(call.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  }).catch(() => {
    throw toUnreachable(baseUrl);
  });
  const text = await answer.text();
  return {
    status: answer.status,
    statusText: answer.statusText,
    tookMs: performance.now() - startedAt,
    text: indentJson(text),
    requestId: answer.headers.get('x-request-id'),
  };
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
