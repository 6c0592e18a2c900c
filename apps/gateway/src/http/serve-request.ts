import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadGuard, RejectionThrottle } from '@rowhouse/admission';
import { AppError } from '@rowhouse/errors';
import { findHeaderFault, type AddressReader } from '@rowhouse/runtime';
import { LIMITS } from '../limits/limits.js';
import { cutStream } from '../streams/stream-out.js';
import { toServerTiming, type Observe } from '../telemetry/observe.js';
import { createTrace, type Trace } from '../telemetry/trace.js';
import { toErrorResponse } from './error-response.js';
import { ClientDisconnectedError, type GatewayResponse, type GatewayRequest } from './gateway-request.js';
import { readRequestId } from './request-head.js';
import { route, type RouteServices } from './route.js';
import { holdsIfMatch, sendResponse } from './send-response.js';

export interface ServeServices extends RouteServices {
  readonly readAddress: AddressReader;
  readonly loadGuard: LoadGuard;
  readonly rejectionThrottle: RejectionThrottle;
}

/** Serves one request from start to end, and reports it once to `observe` (step 10). Never rejects. */
export async function serveCall(
  services: ServeServices,
  observe: Observe,
  req: IncomingMessage,
  res: ServerResponse,
  body: Buffer | null,
  isUpload: boolean,
): Promise<void> {
  const trace = createTrace();
  const id = readRequestId(req.headers['x-request-id']);
  const method = req.method ?? 'GET';
  let response: GatewayResponse;
  let error: AppError | null = null;
  services.failPoints.watch?.(req.headers, res);
  services.loadGuard.entered();
  try {
    response = await route(services, toCall(services, req, res, id, body, isUpload, trace));
    if (req.headers['if-match'] !== undefined) assertMatch(method, response, req.headers['if-match']);
    error = response.refused ?? null;
    trace.mark('render');
  } catch (thrownError) {
    if (thrownError instanceof ClientDisconnectedError) response = GONE;
    else ({ answer: response, error } = toErrorResponse(thrownError, id, req.headers.accept));
  }
  // For a rejection by cost, the server had to plan the statement. An immediate response would invite an
  // equally expensive retry.
  const isLimit = response.status === 429 || error?.code === 'limit.query_cost';
  const held = isLimit ? services.rejectionThrottle.hold(trace.read().tenant?.key.id ?? '') : null;
  if (held !== null) await held;
  const sending = finish({ observe, req, res, method, id, trace, answer: response, error });
  if (sending !== null) await sending;
  services.loadGuard.left();
  if (!req.complete) drainSocket(req);
}

/**
 * Checks `If-Match` of a read against the response. A write has already been compared with the record that it
 * locked.
 */
function assertMatch(method: string, { status, headers, sentBytes }: GatewayResponse, ifMatch: string): void {
  if (
    (method !== 'GET' && method !== 'HEAD') ||
    status !== 200 ||
    sentBytes !== undefined ||
    holdsIfMatch(ifMatch, headers['ETag'])
  )
    return;
  throw new AppError('record.precondition_failed', {
    detail: 'The current version is not one that If-Match lists.',
    hint: 'Read the record without If-Match to get its current version.',
  });
}

/**
 * Reads what the client still sends, for a while. A client cut off while it sends may never read its
 * response.
 */
function drainSocket(req: IncomingMessage): void {
  req.resume();
  const end = (): void => {
    if (!req.complete) req.socket.destroy();
  };
  // If the process was blocked all that time, sockets are read once more before the connection closes.
  setTimeout(() => setImmediate(end), DRAIN_MS).unref();
}

const DRAIN_MS = 2_000;

/** Rejects a request before it had a body or a route, for example because it is too large or malformed. */
export async function rejectCall(
  observe: Observe,
  req: IncomingMessage,
  res: ServerResponse,
  thrownError: unknown,
): Promise<void> {
  const id = readRequestId(req.headers['x-request-id']);
  const { answer: response, error } = toErrorResponse(thrownError, id, req.headers.accept);
  await finish({
    observe,
    req,
    res,
    method: req.method ?? 'GET',
    id,
    trace: createTrace(),
    answer: response,
    error,
  });
  if (!req.complete) drainSocket(req);
}

/** Only used for the log. */
const GONE: GatewayResponse = { status: 499, headers: {}, body: null, sentBytes: 0 };

interface CompletedRequest {
  readonly observe: Observe;
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly id: string;
  readonly trace: Trace;
  readonly answer: GatewayResponse;
  readonly error: AppError | null;
}

/**
 * Sends and reports a response. Returns null when it is done. A response that must be compressed takes
 * longer.
 */
function finish(done: CompletedRequest): Promise<void> | null {
  const { trace, answer: response } = done;
  const durationMs = performance.now() - trace.startedMs;
  const sent = response.sentBytes ?? send(done, toServerTiming(trace.read(), durationMs));
  if (typeof sent !== 'number') return sent.then((bytes) => tell(done, durationMs, bytes));
  tell(done, durationMs, sent);
  return null;
}

function tell(
  { observe, req, method, id, trace, answer: response, error }: CompletedRequest,
  durationMs: number,
  bytes: number,
): void {
  observe({
    requestId: id,
    method,
    url: req.url ?? '',
    status: error === null ? response.status : error.status,
    error,
    durationMs,
    bytes,
    notes: trace.read(),
  });
}

function send(
  { req, res, method, id, answer: response }: CompletedRequest,
  serverTiming: string,
): number | Promise<number> {
  // An error in the middle of a stream. Without the last chunk, clients do not take the response for
  // complete.
  if (res.headersSent) return cutStream(res);
  return sendResponse(res, response, {
    requestId: id,
    serverTiming,
    isHead: method === 'HEAD',
    isRead: method === 'GET' || method === 'HEAD',
    request: req.headers,
  });
}

function toCall(
  services: ServeServices,
  req: IncomingMessage,
  res: ServerResponse,
  id: string,
  body: Buffer | null,
  isUpload: boolean,
  trace: Trace,
): GatewayRequest {
  const url = req.url ?? '/';
  if (url.length > LIMITS.urlBytesMax) throw new AppError('request.url_too_long');
  const fault = findHeaderFault(req);
  if (fault !== null) throw fault;
  const mark = url.indexOf('?');
  return {
    id,
    body,
    res,
    trace,
    method: req.method ?? 'GET',
    upload: isUpload ? req : null,
    rawPath: mark < 0 ? url : url.slice(0, mark),
    rawQuery: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    address: services.readAddress(req),
  };
}
