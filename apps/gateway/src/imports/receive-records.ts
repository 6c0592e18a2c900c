import type { IncomingMessage } from 'node:http';
import { AppError } from '@rowhouse/errors';
import { createRecordSplitter, type RawRecord, type RowsFormat } from '@rowhouse/rest-engine';
import { ClientDisconnectedError, type GatewayRequest } from '../http/gateway-request.js';
import type { HeldBytes } from '../limits/large-bodies.js';
import { LIMITS } from '../limits/limits.js';
import { decodeUtf8, openUtf8 } from './rows-type.js';

/**
 * Yields the records of a body in parts that are stored together. The socket is paused until the next part is
 * requested.
 *
 * @throws AppError `limit.busy` of `held` when there is no memory for the received bytes
 */
export async function* receiveRecords(
  request: GatewayRequest,
  format: RowsFormat,
  held: HeldBytes,
): AsyncGenerator<RawRecord[], void, void> {
  const splitter = createRecordSplitter(format, LIMITS.bodyBytesMax, decodeUtf8, openUtf8);
  let part: RawRecord[] = [];
  let bytes = 0;
  for await (const chunk of receivePieces(request)) {
    for (const record of splitter.push(chunk)) {
      part.push(record);
      bytes += record.bytes;
      if (part.length < LIMITS.importRowsMax && bytes < LIMITS.importBytesMax) continue;
      yield part;
      part = [];
      bytes = 0;
    }
    held.resize(bytes + splitter.heldBytes());
  }
  part.push(...splitter.end());
  if (part.length > 0) yield part;
}

async function* receivePieces({ body, upload }: GatewayRequest): AsyncGenerator<Uint8Array, void, void> {
  if (upload === null) {
    if (body !== null) yield body;
    return;
  }
  const chunks = upload.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>;
  let isWaiting = false;
  try {
    for (;;) {
      isWaiting = true;
      const next = await within(chunks.next(), upload);
      isWaiting = false;
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    // `serveRequest` discards the rest of the body after an early end. An iterator that waits cannot return.
    if (!isWaiting) await chunks.return?.();
  }
}

/**
 * Returns the result of reading a part of the body.
 *
 * @throws AppError `request.timeout` when the client sends nothing for 30 s
 * @throws ClientDisconnectedError when the client disconnects
 */
async function within<T>(part: Promise<T>, upload: IncomingMessage): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new AppError('request.timeout')), LIMITS.streamIdleMsMax);
  });
  try {
    return await Promise.race([part, late]);
  } catch (error) {
    if (!(error instanceof AppError)) throw upload.complete ? error : new ClientDisconnectedError();
    part.catch(() => undefined);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
