import type { Socket } from 'node:net';
import { AppError } from '@rowhouse/errors';
import { createId } from '@rowhouse/runtime';
import { LIMITS } from '../limits.js';
import { toErrorAnswer } from './error-answer.js';
import { COMMON_HEADERS } from './response-headers.js';

const REASONS: Readonly<Record<number, string>> = { 400: 'Bad Request', 413: 'Payload Too Large', 431: 'Request Header Fields Too Large' };

/** Bytes that are no HTTP: a clean answer on the socket, then the end of it. There is no request to tell of. */
export function answerClientError(error: Error & { readonly code?: string }, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = createId('req');
  const { answer } = toErrorAnswer(toParseError(error.code ?? ''), requestId, undefined);
  const body = String(answer.body);
  const headers: Record<string, string> = { ...COMMON_HEADERS, ...answer.headers, 'X-Request-Id': requestId, 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.end(`HTTP/1.1 ${answer.status} ${REASONS[answer.status] ?? 'Bad Request'}\r\n${lines.join('')}\r\n${body}`);
}

function toParseError(code: string): AppError {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return new AppError('request.headers_too_large', { hint: `Headers may have ${LIMITS.headerBytesMax} bytes, the address ${LIMITS.urlBytesMax}.` });
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new AppError('request.body_too_large');
    default:
      return new AppError('request.malformed', { internal: code });
  }
}
