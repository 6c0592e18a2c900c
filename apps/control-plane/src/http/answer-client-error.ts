import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { AppError, toErrorBody } from '@rowhouse/errors';
import { answerUnderWay, createId, type HeadClock } from '@rowhouse/runtime';

/**
 * Creates the handler for malformed or late requests. It writes an error response to the socket and ends it.
 */
export function createClientErrorAnswer(heads: HeadClock): (error: Error & { readonly code?: string }, socket: Socket) => void {
  return (error, socket) => {
    const answer = answerUnderWay(socket);
    // Another response must not be mixed into one that has begun.
    if (error.code === 'ECONNRESET' || !socket.writable || answer?.headersSent === true) return void socket.destroy();
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && answer === null) {
      return heads.endLate(socket, () => writeRefusal(socket, new AppError('request.timeout', { detail: 'The head of the request did not arrive in time.' })));
    }
    writeRefusal(socket, toRefusal(error.code));
  };
}

function toRefusal(code: string | undefined): AppError {
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') return new AppError('request.timeout', { detail: 'The request did not arrive in time.' });
  return new AppError(code === 'HPE_HEADER_OVERFLOW' ? 'request.headers_too_large' : 'request.malformed');
}

function writeRefusal(socket: Socket, refusal: AppError): void {
  const requestId = createId('req');
  const body = JSON.stringify(toErrorBody(refusal, requestId));
  const lines = [
    `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status] ?? ''}`,
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Cache-Control: no-store',
    `X-Request-Id: ${requestId}`,
    'Connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
