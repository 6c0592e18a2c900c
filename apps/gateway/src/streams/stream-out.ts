import type { ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import { AppError } from '@rowhouse/errors';
import { ClientDisconnectedError, type GatewayRequest } from '../http/gateway-request.js';
import { chooseEncoding, listHeaders } from '../http/send-response.js';
import { LIMITS } from '../limits/limits.js';
import { StaleSchemaError } from '../schema/retry-through-schema-change.js';
import { toServerTiming } from '../telemetry/observe.js';
import { createPages } from './pages.js';

/**
 * The output of a stream to the client. Nothing is sent before the first flush, so that an early error is a
 * normal error response.
 */
export interface StreamOut {
  write(text: string): void;
  /** Copies the bytes, which may be reused after the call. */
  writeBytes(bytes: Buffer): void;
  /** Sends what was written so far. */
  flush(): void;
  /** Returns whether the head of the response was sent. From then on, an error cuts the response off. */
  isOpen(): boolean;
  /** Returns whether so many bytes wait for the client that reading must pause. */
  isFull(): boolean;
  /** Resolves when the client has received the waiting bytes. Rejects when the stream is stopped. */
  drained(): Promise<void>;
  /** Ends the stream properly, and returns the number of bytes sent. */
  end(): Promise<number>;
  /**
   * Aborted with a reason when the client disconnects or receives nothing for 30 s, or when the stream must
   * not continue.
   */
  readonly stop: AbortController;
}

const WAITING_BYTES_MAX = 256 * 1024;

export function openStream(request: GatewayRequest, headers: Readonly<Record<string, string>>): StreamOut {
  const { res } = request;
  const stop = new AbortController();
  const socket = res.socket;
  const startBytes = socket?.bytesWritten ?? 0;
  const pages = createPages();
  let target: Writable = res;

  res.once('close', () => {
    if (!res.writableFinished) stop.abort(new ClientDisconnectedError());
  });
  if (res.destroyed) stop.abort(new ClientDisconnectedError());
  watchIdle(res, stop);

  /** Sends the head. A small complete stream is not compressed. */
  function open(isComplete: boolean): void {
    const encoding =
      isComplete && pages.waiting() < 1_024 ? null : chooseEncoding(request.headers['accept-encoding']);
    const serverTiming = toServerTiming(request.trace.read(), performance.now() - request.trace.startedMs);
    res.writeHead(200, listHeaders({ headers }, { requestId: request.id, serverTiming }, encoding, null));
    if (encoding === null || request.method === 'HEAD') return;
    target =
      encoding === 'br'
        ? createBrotliCompress({
            params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 },
          })
        : createGzip({ level: 4 });
    const packer = target as Transform;
    packer.on('error', (error) => stop.abort(error));
    stop.signal.addEventListener('abort', () => packer.destroy(), { once: true });
    packer.pipe(res);
  }

  function flush(isComplete = false): void {
    if (stop.signal.aborted) return;
    if (!res.headersSent) open(isComplete);
    if (request.method !== 'HEAD') pages.flush(target);
  }

  return {
    stop,
    write(text) {
      if (!pages.write(text)) {
        flush();
        if (!pages.write(text) && !stop.signal.aborted && request.method !== 'HEAD')
          target.write(text, 'utf8');
      }
    },
    writeBytes(bytes) {
      for (let index = 0; index < bytes.length && !stop.signal.aborted && request.method !== 'HEAD';) {
        const copied = pages.copy(bytes, index);
        index += copied;
        if (copied === 0) flush();
      }
    },
    flush: () => flush(),
    isOpen: () => res.headersSent,
    isFull: () => target.writableLength > WAITING_BYTES_MAX,
    drained: () => (target.writableNeedDrain ? untilEvent(target, 'drain', stop.signal) : Promise.resolve()),
    async end() {
      stop.signal.throwIfAborted();
      flush(true);
      const finished = untilEvent(res, 'finish', stop.signal);
      target.end();
      await finished;
      return (socket?.bytesWritten ?? 0) - startBytes;
    },
  };
}

/** Cuts a response off before its last chunk. HTTP/1.0 has no chunks, so the connection is reset. */
export function cutStream(res: ServerResponse): number {
  if (res.req.httpVersionMinor === 0) res.socket?.resetAndDestroy();
  else res.destroy();
  return 0;
}

/**
 * Aborts when the client receives nothing for 30 s. Node's timer restarts with each write that the system
 * accepts, so a slow client is not treated as idle.
 */
function watchIdle(res: ServerResponse, stop: AbortController): void {
  const { streamIdleMsMax } = LIMITS;
  res.setTimeout(streamIdleMsMax, () => {
    if (res.writableLength > 0)
      stop.abort(new AppError('request.timeout', { internal: 'the client of a stream takes nothing' }));
    else res.socket?.setTimeout(streamIdleMsMax);
  });
}

/** Rejects with the reason of the signal. */
function untilEvent(target: Writable, name: 'drain' | 'finish', signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason as Error);
    const onEvent = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    const onAbort = (): void => {
      target.removeListener(name, onEvent);
      reject(signal.reason as Error);
    };
    target.once(name, onEvent);
    signal.addEventListener('abort', onAbort, { once: true });
    return undefined;
  });
}

/** Converts an error about an outdated schema. Once bytes were sent, the request cannot be planned again. */
export function toStreamError(error: unknown, out: StreamOut): unknown {
  if (!(error instanceof StaleSchemaError) || !out.isOpen()) return error;
  return new AppError('db.schema_changing', { internal: `in a stream: ${error.message}`, cause: error });
}
