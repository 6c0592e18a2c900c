import { setTimeout as pause } from 'node:timers/promises';

/** The response to a request of a test. */
export interface TestResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /**
   * The parsed body of a JSON response, or null without a body. It is untyped, so that tests can read any
   * member.
   */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request. A string body is sent unchanged, and anything else as JSON. */
export async function callGateway(
  url: string,
  method: string,
  path: string,
  options: CallOptions = {},
): Promise<TestResponse> {
  const { key, body } = options;
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (typeof key === 'string') headers['authorization'] = `Bearer ${key}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  Object.assign(headers, options.headers);
  const response = await fetch(url + path, {
    method,
    headers,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = /\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : null,
  };
}

/** Repeats a call until `isDone` returns true or the time is over, and returns the last reply. */
export async function callUntil(
  call: () => Promise<TestResponse>,
  isDone: (response: TestResponse) => boolean,
  timeoutMs: number,
): Promise<TestResponse> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const response = await call();
    if (isDone(response) || performance.now() > endMs) return response;
    await pause(20);
  }
}
