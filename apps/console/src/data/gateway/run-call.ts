import { toUnreachable, toGatewayAddress } from './call-gateway.js';

export interface GatewayCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** The path below the data API, such as `/posts?limit=3`. */
  readonly path: string;
  readonly body?: unknown;
}

/** A response of the gateway: its unparsed text, and the duration of the call. */
export interface GatewayResponse {
  readonly status: number;
  readonly statusText: string;
  readonly tookMs: number;
  readonly text: string;
  readonly requestId: string | null;
}

/** Calls the gateway from the browser with a key. Throws `ApiError` when no response arrives. */
export async function runCall(
  baseUrl: string,
  secret: string,
  request: GatewayCall,
): Promise<GatewayResponse> {
  const startedAt = performance.now();
  const response = await fetch(toGatewayAddress(baseUrl, request.path), {
    method: request.method,
    headers: {
      Authorization: `Bearer ${secret}`,
      Accept: 'application/json',
      ...(request.body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
  }).catch(() => {
    throw toUnreachable(baseUrl);
  });
  const text = await response.text();
  return {
    status: response.status,
    statusText: response.statusText,
    tookMs: performance.now() - startedAt,
    text: indentJson(text),
    requestId: response.headers.get('x-request-id'),
  };
}

function indentJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
