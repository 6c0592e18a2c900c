import { Catch, HttpException, type ArgumentsHost, type ExceptionFilter } from '@nestjs/common';
import {
  AppError,
  DEADLOCK,
  LOCK_WAIT_TIMEOUT,
  QUERY_INTERRUPTED,
  ROW_CHANGED,
  TIMEOUT_NUMBERS,
  toAppError,
  toErrorBody,
  toProblemBody,
  type ErrorCode,
} from '@rowhouse/errors';
import { OUTCOME_UNKNOWN } from '../platform-db/data-sources.js';
import type { Logger } from '@rowhouse/runtime';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** Converts every thrown value to an error response. */
@Catch()
export class ErrorFilter implements ExceptionFilter {
  constructor(private readonly logger: Logger) {}

  catch(error: unknown, host: ArgumentsHost): void {
    const req = host.switchToHttp().getRequest<FastifyRequest>();
    const reply = host.switchToHttp().getResponse<FastifyReply>();
    sendError(this.logger, translate(error, req), req, reply);
  }
}

/** Sends the error response, and logs defects. */
export function sendError(logger: Logger, error: AppError, req: FastifyRequest, reply: FastifyReply): void {
  if (error.status >= 500)
    logger.error(
      { request_id: req.id, code: error.code, internal: error.internal, err: error.cause },
      'a call failed',
    );
  if (reply.sent) return;
  const isProblem = /application\/problem\+json/.test(req.headers.accept ?? '');
  if (error.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.ceil(error.retryAfterSeconds)));
  reply
    .headers(error.headers)
    .header('cache-control', 'no-store')
    .status(error.status)
    .type(isProblem ? 'application/problem+json; charset=utf-8' : 'application/json; charset=utf-8')
    .send(JSON.stringify(isProblem ? toProblemBody(error, req.id) : toErrorBody(error, req.id)));
}

const FASTIFY_CODES: Readonly<Record<string, ErrorCode>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'request.unsupported_type',
  FST_ERR_CTP_BODY_TOO_LARGE: 'request.body_too_large',
  FST_ERR_CTP_INVALID_JSON_BODY: 'request.malformed_json',
  FST_ERR_CTP_EMPTY_JSON_BODY: 'request.malformed_json',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'request.malformed',
  FST_ERR_BAD_URL: 'request.bad_escape',
};

/** The error codes by HTTP status. Nest removes Fastify's own error codes, so only the status is known. */
const HTTP_CODES: Readonly<Record<number, ErrorCode>> = {
  400: 'request.malformed',
  413: 'request.body_too_large',
  415: 'request.unsupported_type',
};

/** Converts errors of frameworks and of the database driver. */
export function translate(error: unknown, req: FastifyRequest): AppError {
  if (error instanceof AppError) return error;
  const code = readCode(error);
  const known = FASTIFY_CODES[code];
  if (known !== undefined) return new AppError(known, { cause: error });
  if (error instanceof SyntaxError && 'statusCode' in error)
    return new AppError('request.malformed_json', { cause: error });
  if (error instanceof HttpException) {
    const status = error.getStatus();
    if (status === 404)
      return new AppError('request.not_found', {
        detail: `There is no endpoint at ${req.method} ${req.url.split('?')[0] ?? ''}.`,
      });
    const byStatus = HTTP_CODES[status];
    if (byStatus !== undefined) return new AppError(byStatus, { cause: error });
  }
  if (code === OUTCOME_UNKNOWN)
    return new AppError('db.outcome_unknown', {
      internal: String(error),
      cause: error,
      retryAfterSeconds: 1,
      hint: 'Check whether the change was saved before you send it again.',
    });
  if (UNAVAILABLE.test(code) || BUSY_NUMBERS.has(readErrno(error)))
    return new AppError('platform.unavailable', {
      internal: String(error),
      cause: error,
      retryAfterSeconds: 1,
    });
  return toAppError(error);
}

/**
 * The database errors after which a request can be retried: rows changed under a snapshot, lock wait
 * timeouts, deadlocks and stopped statements.
 */
const BUSY_NUMBERS: ReadonlySet<number> = new Set([
  ROW_CHANGED,
  LOCK_WAIT_TIMEOUT,
  DEADLOCK,
  QUERY_INTERRUPTED,
  ...TIMEOUT_NUMBERS,
]);
const UNAVAILABLE =
  /^(PLATFORM_LATE|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EPIPE|PROTOCOL_CONNECTION_LOST|ER_CON_COUNT_ERROR|ER_SERVER_SHUTDOWN)$/;

function readCode(error: unknown): string {
  const code = typeof error === 'object' && error !== null ? (error as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : '';
}

function readErrno(error: unknown): number {
  const errno =
    typeof error === 'object' && error !== null ? (error as { errno?: unknown }).errno : undefined;
  return typeof errno === 'number' ? errno : 0;
}
