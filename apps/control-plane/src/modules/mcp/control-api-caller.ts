import { toAppError, toErrorBody, type ErrorBody } from '@rowhouse/errors';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Calls the control API with the caller's own token and the usual access checks. */
export interface ControlApi {
  /** Sends a request within this process and returns the response body. Throws ControlApiError. */
  call(method: 'GET' | 'POST' | 'PUT' | 'PATCH', path: string, body?: unknown): Promise<unknown>;
}

/** An error response of the control API. */
export class ControlApiError extends Error {
  constructor(readonly body: ErrorBody) {
    super(body.code);
    this.name = 'ControlApiError';
  }
}

/**
 * Creates a caller of the control API within this process. It sends the client address, user agent and token
 * of `req`.
 */
export function createControlApi(fastify: FastifyInstance, req: FastifyRequest): ControlApi {
  const headers = {
    authorization: req.headers.authorization ?? '',
    'user-agent': String(req.headers['user-agent'] ?? ''),
  };
  return {
    async call(method, path, body) {
      const res = await fastify.inject({
        method,
        url: path,
        remoteAddress: req.ip,
        headers: { ...headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
        ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
      });
      const reported = res.body === '' ? null : readJson(res.body);
      if (res.statusCode < 400) return reported;
      throw new ControlApiError(
        isErrorBody(reported)
          ? reported
          : toErrorBody(
              toAppError(new Error(`the control API returned ${res.statusCode} without a body`)),
              req.id,
            ),
      );
    },
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isErrorBody(value: unknown): value is ErrorBody {
  return typeof value === 'object' && value !== null && 'code' in value && 'request_id' in value;
}
