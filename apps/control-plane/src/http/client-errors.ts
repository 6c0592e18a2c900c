import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toErrorBody } from '@rowhouse/errors';
import { pendingResponse, createId, type HeadClock } from '@rowhouse/runtime';

/**
 * Creates the handler for malformed or late requests. The handler writes an error response to the socket and
 * ends the socket.
 */
export function createClientErrorResponse(
  heads: HeadClock,
): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    const response = pendingResponse(socket);
    // If another response has started, the error response must not be written into it.
    if (error.code === 'ECONNRESET' || !socket.writable || response?.headersSent === true)
      return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && response === null) {
      return heads.endLate(socket, () =>
        writeRejection(
          socket,
          new AppError('request.timeout', { detail: 'The request headers did not arrive in time.' }),
        ),
      );
    }
    writeRejection(socket, toRejection(error.code));
  };
}

function toRejection(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new AppError('request.timeout', { detail: 'The request did not arrive in time.' });
  return new AppError(code === 'HPE_HEADER_OVERFLOW' ? 'request.headers_too_large' : 'request.malformed');
}

function writeRejection(socket: Socket, rejection: AppError): void {
  const requestId = createId('req');
  const body = JSON.stringify(toErrorBody(rejection, requestId));
  const lines = [
    `HTTP/1.1 ${rejection.status} ${STATUS_CODES[rejection.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
