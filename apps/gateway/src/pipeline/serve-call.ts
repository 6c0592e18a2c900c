import type { IncomingMessage, ServerResponse } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { findHeaderFault } from '@rowhouse/runtime';
import { LIMITS } from '../limits.js';
import { ClientGone, type Answer, type Call } from './call.js';
import { toErrorAnswer } from './error-answer.js';
import type { Gateway } from './gateway.js';
import { toServerTiming, type Observe } from './observe.js';
import { readRequestId } from './request-id.js';
import { route } from './route.js';
import { holdsIfMatch, sendAnswer } from './send-answer.js';
import { cutStream } from './streams/stream-out.js';
import { createTrace, type Trace } from './trace.js';

/** Serves one request from start to end, and reports it once to `observe` (step 10). Never rejects. */
export async function serveCall(gateway: Gateway, observe: Observe, req: IncomingMessage, res: ServerResponse, body: Buffer | null, isUpload: boolean): Promise<void> {
  const trace = createTrace();
  const id = readRequestId(req.headers['x-request-id']);
  const method = req.method ?? 'GET';
  let answer: Answer;
  let error: AppError | null = null;
  gateway.failPoints.watch?.(req.headers, res);
  gateway.load.entered();
  try {
    answer = await route(gateway, toCall(gateway, req, res, id, body, isUpload, trace));
    if (req.headers['if-match'] !== undefined) assertMatch(method, answer, req.headers['if-match']);
    error = answer.refused ?? null;
    trace.mark('render');
  } catch (thrown) {
    if (thrown instanceof ClientGone) answer = GONE;
    else ({ answer, error } = toErrorAnswer(thrown, id, req.headers.accept));
  }
  // For a rejection by cost, the server had to plan the statement. An immediate response would invite an
  // equally expensive retry.
  const isLimit = answer.status === 429 || error?.code === 'limit.query_cost';
  const held = isLimit ? gateway.refusals.hold(trace.read().tenant?.key.id ?? '') : null;
  if (held !== null) await held;
  const sending = finish({ observe, req, res, method, id, trace, answer, error });
  if (sending !== null) await sending;
  gateway.load.left();
  if (!req.complete) lingerOver(req);
}

/**
 * Checks `If-Match` of a read against the response. A write has already been compared with the record that it
 * locked.
 */
function assertMatch(method: string, { status, headers, sentBytes }: Answer, ifMatch: string): void {
  if ((method !== 'GET' && method !== 'HEAD') || status !== 200 || sentBytes !== undefined || holdsIfMatch(ifMatch, headers['ETag'])) return;
  throw new AppError('record.precondition_failed', { detail: 'What was read is no version that If-Match names.', hint: 'Send the request without If-Match to read it as it is now.' });
}

/**
 * Reads what the client still sends, for a while. A client cut off while it sends may never read its
 * response.
 */
function lingerOver(req: IncomingMessage): void {
  req.resume();
  const end = (): void => {
    if (!req.complete) req.socket.destroy();
  };
  // If the process was blocked all that time, sockets are read once more before the connection closes.
  setTimeout(() => setImmediate(end), LINGER_MS).unref();
}

const LINGER_MS = 2_000;

/** Rejects a request before it had a body or a route, for example because it is too large or malformed. */
export async function refuseCall(observe: Observe, req: IncomingMessage, res: ServerResponse, thrown: unknown): Promise<void> {
  const id = readRequestId(req.headers['x-request-id']);
  const { answer, error } = toErrorAnswer(thrown, id, req.headers.accept);
  await finish({ observe, req, res, method: req.method ?? 'GET', id, trace: createTrace(), answer, error });
  if (!req.complete) lingerOver(req);
}

/** Only used for the log. */
const GONE: Answer = { status: 499, headers: {}, body: null, sentBytes: 0 };

interface Finished {
  readonly observe: Observe;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly id: string;
  readonly trace: Trace;
  readonly answer: Answer;
  readonly error: AppError | null;
}

/**
 * Sends and reports a response. Returns null when it is done. A response that must be compressed takes
 * longer.
 */
function finish(done: Finished): Promise<void> | null {
  const { trace, answer } = done;
  const durationMs = performance.now() - trace.startedMs;
  const sent = answer.sentBytes ?? send(done, toServerTiming(trace.read(), durationMs));
  if (typeof sent !== 'number') return sent.then((bytes) => tell(done, durationMs, bytes));
  tell(done, durationMs, sent);
  return null;
}

function tell({ observe, req, method, id, trace, answer, error }: Finished, durationMs: number, bytes: number): void {
  observe({ requestId: id, method, url: req.url ?? '', status: error === null ? answer.status : error.status, error, durationMs, bytes, notes: trace.read() });
}

function send({ req, res, method, id, answer }: Finished, serverTiming: string): number | Promise<number> {
  // An error in the middle of a stream. Without the last chunk, clients do not take the response for
  // complete.
  if (res.headersSent) return cutStream(res);
  return sendAnswer(res, answer, { requestId: id, serverTiming, isHead: method === 'HEAD', isRead: method === 'GET' || method === 'HEAD', request: req.headers });
}

function toCall(gateway: Gateway, req: IncomingMessage, res: ServerResponse, id: string, body: Buffer | null, isUpload: boolean, trace: Trace): Call {
  const url = req.url ?? '/';
  if (url.length > LIMITS.urlBytesMax) throw new AppError('request.url_too_long');
  const fault = findHeaderFault(req);
  if (fault !== null) throw fault;
  const mark = url.indexOf('?');
  return {
    id, body, res, trace,
    method: req.method ?? 'GET',
    upload: isUpload ? req : null,
    rawPath: mark < 0 ? url : url.slice(0, mark),
    rawQuery: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    address: gateway.readAddress(req),
  };
}
