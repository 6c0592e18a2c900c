import type { Socket } from 'node:net';
import { AppError, toErrorBody } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';

/** Bytes that are no HTTP: an answer of the error table on the socket, then the end of it. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = createId('req');
  const isOverflow = error.code === 'HPE_HEADER_OVERFLOW';
  const refusal = new AppError(isOverflow ? 'request.headers_too_large' : 'request.malformed');
  const body = JSON.stringify(toErrorBody(refusal, requestId));
  const lines = [
    `HTTP/1.1 ${refusal.status} ${isOverflow ? 'Request Header Fields Too Large' : 'Bad Request'}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
