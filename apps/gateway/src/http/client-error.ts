import { STATUS_CODES, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { pendingResponse, createHeadClock, createId } from '@rowhouse/runtime';
import { LIMITS } from '../limits/limits.js';
import { toErrorResponse, COMMON_HEADERS } from './error-response.js';

export const HEAD_CLOCK = createHeadClock();

/**
 * Handles a connection whose bytes are not HTTP or did not arrive in time. It writes an error response to the
 * socket and closes it. If a response has already started, or its request is complete, no error response is
 * written. That response is completed, or cut off if the rest of its request cannot be read. Without a
 * request, nothing is logged.
 */
export function respondToClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const response = pendingResponse(socket);
  if (response === null && error.code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return HEAD_CLOCK.endLate(socket, () =>
      writeRejection(
        socket,
        new AppError('request.timeout', { detail: 'The request headers did not arrive in time.' }),
      ),
    );
  if (response === null || !(response.headersSent || response.req.complete))
    return writeRejection(socket, toParseError(error.code ?? ''));
  if (!response.req.complete) socket.destroy();
  else if (response.shouldKeepAlive) sendLastResponse(response, socket);
}

/** Completes the current response. Its request is complete, and the error is in the bytes that follow it. */
function sendLastResponse(response: ServerResponse, socket: Socket): void {
  response.shouldKeepAlive = false;
  response.once('finish', () => socket.end());
}

function writeRejection(socket: Socket, rejection: AppError): void {
  const requestId = createId('req');
  const { response } = toErrorResponse(rejection, requestId, undefined);
  const body = String(response.body);
  const headers: Record<string, string> = {
    ...COMMON_HEADERS,
    ...response.headers,
    'X-Request-Id': requestId,
    'Content-Length': String(Buffer.byteLength(body)),
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(
    `HTTP/1.1 ${response.status} ${STATUS_CODES[response.status] ?? ''}\r\n${lines.join('')}\r\n${body}`,
  );
}

function toParseError(code: string): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('request.headers_too_large', {
        hint:
          `The headers can have at most ${LIMITS.headerBytesMax} bytes, and the URL at most ` +
          `${LIMITS.urlBytesMax}.`,
      });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('request.body_too_large');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new AppError('request.timeout', { detail: 'The request did not arrive in time.' });
    default:
      return new AppError('request.malformed', { internal: code });
  }
}
