import type { IncomingMessage, ServerResponse } from 'node:http';
import type { LoadGuard, RejectionThrottle } from '@rowhouse/admission';
import { AppError, toAppError } from '@rowhouse/errors';
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
  /** Logs an error that no response can report, because it occurred while a response was sent or logged. */
  readonly onDefect: (error: unknown) => void;
}

/** One request as Node received it, after its body has arrived. */
export interface IncomingRequest {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** Null when no body was sent, or when it is an upload. */
  readonly body: Buffer | null;
  /** True for a body that is read as a stream. */
  readonly isUpload: boolean;
}

/** A request with its response, and what the log reports about both. */
interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly id: string;
  readonly trace: Trace;
  response: GatewayResponse;
  error: AppError | null;
}

/** Serves one request from start to end, and reports it once to `observe`. Never rejects. */
export async function serveRequest(
  services: ServeServices,
  observe: Observe,
  incoming: IncomingRequest,
): Promise<void> {
  const { req, res } = incoming;
  const exchange = openExchange(req, res);
  services.loadGuard.entered();
  try {
    services.failPoints.watch?.(req.headers, res);
    try {
      const response = await route(services, toGatewayRequest(services, exchange, incoming));
      const ifMatch = req.headers['if-match'];
      if (ifMatch !== undefined) assertMatch(exchange.method, response, ifMatch);
      exchange.response = response;
      exchange.error = response.reportedError ?? null;
      exchange.trace.mark('render');
    } catch (thrownError) {
      if (thrownError instanceof ClientDisconnectedError) exchange.response = CLIENT_DISCONNECTED;
      else setError(exchange, thrownError);
    }
    const throttled = throttleRejection(services, exchange);
    if (throttled !== null) await throttled;
    const sending = finish(services, observe, exchange);
    if (sending !== null) await sending;
    if (!req.complete) drainSocket(req);
  } catch (defect) {
    abandon(services, res, defect);
  } finally {
    services.loadGuard.left();
  }
}

/** Rejects a request before it has a body or a route, for example because it is too large. Never rejects. */
export async function rejectRequest(
  services: Pick<ServeServices, 'onDefect'>,
  observe: Observe,
  { req, res }: Pick<IncomingRequest, 'req' | 'res'>,
  rejection: unknown,
): Promise<void> {
  try {
    const exchange = openExchange(req, res);
    setError(exchange, rejection);
    await finish(services, observe, exchange);
    if (!req.complete) drainSocket(req);
  } catch (defect) {
    abandon(services, res, defect);
  }
}

function openExchange(req: IncomingMessage, res: ServerResponse): Exchange {
  return {
    req,
    res,
    method: req.method ?? 'GET',
    id: readRequestId(req.headers['x-request-id']),
    trace: createTrace(),
    response: CLIENT_DISCONNECTED,
    error: null,
  };
}

function setError(exchange: Exchange, thrownError: unknown): void {
  const { response, error } = toErrorResponse(thrownError, exchange.id, exchange.req.headers.accept);
  exchange.response = response;
  exchange.error = error;
}

/** The response that is logged for a client that has disconnected. It is never sent. */
const CLIENT_DISCONNECTED: GatewayResponse = { status: 499, headers: {}, body: null, sentBytes: 0 };

/** Logs an error after which no response can be sent any more, and closes the connection. */
function abandon({ onDefect }: Pick<ServeServices, 'onDefect'>, res: ServerResponse, defect: unknown): void {
  if (!res.writableEnded) res.destroy();
  onDefect(defect);
}

/**
 * Delays the rejection when a request exceeds a limit, if its key has many such rejections. Returns null if
 * the rejection is sent at once. The server must plan a statement before its cost can be rejected, so
 * frequent retries are expensive.
 */
function throttleRejection(
  { rejectionThrottle }: ServeServices,
  { response, error, trace }: Exchange,
): Promise<void> | null {
  return response.status === 429 || error?.code === 'limit.query_cost'
    ? rejectionThrottle.hold(trace.read().tenant?.key.id ?? '')
    : null;
}

/**
 * Checks the `If-Match` header of a read against the response. A write was already compared with the record
 * that it locked.
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
    detail: 'If-Match does not list the current version of the record.',
    hint: 'Read the record without If-Match to get its current version.',
  });
}

const DRAIN_MS = 2_000;

/**
 * Discards the rest of a request body for up to `DRAIN_MS`. If the socket were closed earlier, the connection
 * would be reset, and the client could lose the response.
 */
function drainSocket(req: IncomingMessage): void {
  req.resume();
  const end = (): void => {
    if (!req.complete) req.socket.destroy();
  };
  // The timer may fire late after a blocked event loop. setImmediate lets the socket be read once more
  // before it is closed.
  setTimeout(() => setImmediate(end), DRAIN_MS).unref();
}

/**
 * Sends the response, then reports the exchange. Returns null when both are done, or a promise when the
 * response must be compressed first.
 */
function finish(
  services: Pick<ServeServices, 'onDefect'>,
  observe: Observe,
  exchange: Exchange,
): Promise<void> | null {
  const durationMs = performance.now() - exchange.trace.startedMs;
  let sent: number | Promise<number>;
  try {
    sent = exchange.response.sentBytes ?? send(services, exchange, durationMs);
  } catch (error) {
    sent = noteUnsent(exchange, error);
  }
  if (typeof sent !== 'number')
    return sent
      .catch((error: unknown) => noteUnsent(exchange, error))
      .then((bytes) => report(observe, exchange, durationMs, bytes));
  report(observe, exchange, durationMs, sent);
  return null;
}

/** Records the reason for the log if a response was not sent. Returns the number of bytes that were sent. */
function noteUnsent(exchange: Exchange, error: unknown): number {
  exchange.error = toAppError(error);
  return 0;
}

function report(
  observe: Observe,
  { req, method, id, trace, response, error }: Exchange,
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

/** Sends the response and returns the number of its bytes. */
function send(
  { onDefect }: Pick<ServeServices, 'onDefect'>,
  { req, res, method, id, trace, response }: Exchange,
  durationMs: number,
): number | Promise<number> {
  // The response is an error in the middle of a stream. Without the last chunk, clients notice that the
  // stream is incomplete.
  if (res.headersSent) return cutStream(res);
  return sendResponse(
    res,
    response,
    {
      requestId: id,
      serverTiming: toServerTiming(trace.read(), durationMs),
      isHead: method === 'HEAD',
      isRead: method === 'GET' || method === 'HEAD',
      request: req.headers,
    },
    onDefect,
  );
}

function toGatewayRequest(
  services: ServeServices,
  { req, res, method, id, trace }: Exchange,
  { body, isUpload }: IncomingRequest,
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
    method,
    upload: isUpload ? req : null,
    rawPath: mark < 0 ? url : url.slice(0, mark),
    rawQuery: mark < 0 ? '' : url.slice(mark + 1),
    headers: req.headers,
    address: services.readAddress(req),
  };
}
