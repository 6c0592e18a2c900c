import { setTimeout as pause } from 'node:timers/promises';

/** A request to a gateway and what came back, for tests. */
export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Of a JSON answer; null without a body. Tests look into it freely. */
  readonly json: ReturnType<typeof JSON.parse>;
}

export interface CallOptions {
  readonly key?: string | null;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A body that is text is sent as it is; anything else as JSON. */
export async function callGateway(url: string, method: string, path: string, options: CallOptions = {}): Promise<Reply> {
  const { key, body } = options;
  const headers: Record<string, string> = { 'accept-encoding': 'identity' };
  if (typeof key === 'string') headers['authorization'] = `Bearer ${key}`;
  if (body !== undefined) headers['content-type'] = 'application/json';
  Object.assign(headers, options.headers);
  const response = await fetch(url + path, { method, headers, ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }) });
  const text = await response.text();
  const isJson = /\/(?:[\w.-]+\+)?json\b/.test(response.headers.get('content-type') ?? '');
  return { status: response.status, headers: response.headers, text, json: isJson && text !== '' ? JSON.parse(text) : null };
}

/** Asks until `isDone` or the time is up; gives the last reply. */
export async function callUntil(call: () => Promise<Reply>, isDone: (reply: Reply) => boolean, timeoutMs: number): Promise<Reply> {
  const endMs = performance.now() + timeoutMs;
  for (;;) {
    const reply = await call();
    if (isDone(reply) || performance.now() > endMs) return reply;
    await pause(20);
  }
}
