import { API_PREFIX } from '@rowhouse/contracts';
import { AppError, changeError, faultAt, validationError } from '@rowhouse/errors';
import { parseJson, serializeJson, type JsonValue } from '@rowhouse/rest-engine';
import { respondBatch } from '../batch/serve-batch.js';
import type { GatewayResponse, GatewayRequest } from '../http/gateway-request.js';
import { LIMITS } from '../limits/limits.js';
import { NO_HEADERS } from '../limits/request-admission.js';
import { respondQuery } from '../query/serve-query.js';
import { readJsonBody } from '../rest/read-body.js';
import { respondRest } from '../rest/serve-rest.js';
import { requireScope } from '../tenant/open-tenant.js';
import type { ToolUse } from './data-tool.js';

/** The HTTP API request that corresponds to a tool call. */
export interface InternalRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** The path after the prefix. */
  readonly path: string;
  /** Unescaped names and values. Null values are left out. */
  readonly parameters?: Readonly<Record<string, string | null>>;
  readonly prefer?: readonly string[];
  readonly idempotencyKey?: string | null;
  readonly body?: JsonValue;
}

export interface InternalResponse {
  /** The body of the response. Null without a body, or if the body is larger than a tool may return. */
  readonly body: JsonValue | null;
  readonly isTooLarge: boolean;
  header(name: string): string | null;
}

/**
 * The maximum length of path and parameters. It exceeds that of HTTP URLs, because tools pass long filters
 * here.
 */
const ADDRESS_LENGTH_MAX = 256 * 1024;

function tooLong(): AppError {
  return validationError('body.invalid', [
    faultAt(
      ['arguments'],
      'Table, id, filter, fields, include, sort and search can have at most ' +
        `${ADDRESS_LENGTH_MAX.toLocaleString('en')} characters in total.`,
      'too_long',
    ),
  ]);
}

/** The part of the HTTP API that responds to an internal request. */
export type Respond = (use: ToolUse, request: GatewayRequest) => Promise<GatewayResponse>;

export const toTable: Respond = ({ services, tenant }, request) =>
  respondRest(services, tenant, request, NO_HEADERS, readJsonBody);

export const toBatch: Respond = ({ services, tenant }, request) =>
  respondBatch(services, tenant, request, readJsonBody, NO_HEADERS);

export async function toQuery(
  { services, tenant }: ToolUse,
  request: GatewayRequest,
): Promise<GatewayResponse> {
  requireScope(tenant, 'query');
  return respondQuery(services, tenant, request, readJsonBody(request), NO_HEADERS);
}

/**
 * Responds to an internal request with the same code as to an HTTP request. The request is not admitted
 * again, because its MCP message was already admitted. Rejects with AppError.
 */
export async function callInternally(
  use: ToolUse,
  request: InternalRequest,
  respond: Respond,
): Promise<InternalResponse> {
  const response = await respond(use, toGatewayRequest(use.request, request)).catch((error: unknown) => {
    throw hintArray(error);
  });
  const { body } = response;
  const isTooLarge =
    body !== null &&
    (body.length > LIMITS.toolAnswerBytesMax || Buffer.byteLength(body) > LIMITS.toolAnswerBytesMax);
  const text =
    body === null || isTooLarge ? '' : typeof body === 'string' ? body : Buffer.from(body).toString('utf8');
  return {
    body: text === '' ? null : parseJson(text),
    isTooLarge,
    header: (name) => response.headers[name] ?? null,
  };
}

/**
 * Replaces the hint of an error about a composite key. The original hint describes a path, and the new one
 * the tool's argument.
 */
function hintArray(error: unknown): unknown {
  const names =
    error instanceof AppError && error.code === 'key.invalid' ? error.extra?.['key_columns'] : undefined;
  if (!(error instanceof AppError) || names === undefined) return error;
  return changeError(error, {
    hint:
      'This table has a composite key. Send the id as an array with the values of ' +
      `${JSON.stringify(names)}.`,
  });
}

/**
 * Checks the size of a response to a read.
 *
 * @throws AppError `limit.tool_answer`
 */
export function rejectTooLarge(response: InternalResponse): void {
  if (response.isTooLarge) throw new AppError('limit.tool_answer');
}

function toGatewayRequest(
  outer: GatewayRequest,
  { method, path, parameters = {}, prefer = [], idempotencyKey, body }: InternalRequest,
): GatewayRequest {
  const headers: Record<string, string> = { accept: 'application/json' };
  if (prefer.length > 0) headers['prefer'] = prefer.join(', ');
  if (typeof idempotencyKey === 'string') headers['idempotency-key'] = idempotencyKey;
  if (body !== undefined) headers['content-type'] = 'application/json';
  const provided = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [[name, value] as const],
  );
  if (provided.reduce((length, [, value]) => length + value.length, path.length) > ADDRESS_LENGTH_MAX)
    throw tooLong();
  const query = provided.map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return {
    ...outer,
    method,
    rawPath: `${API_PREFIX}${path}`,
    rawQuery: query.join('&'),
    headers,
    upload: null,
    ...toBody(outer, body, typeof idempotencyKey === 'string'),
  };
}

/**
 * Returns the body of the internal request. It is passed on as a parsed value. An idempotent request also
 * needs the bytes, which identify it.
 */
function toBody(
  outer: GatewayRequest,
  body: JsonValue | undefined,
  isOnce: boolean,
): Pick<GatewayRequest, 'body' | 'parsed'> {
  if (body === undefined) return { body: null };
  return { body: isOnce ? Buffer.from(serializeJson(body), 'utf8') : outer.body, parsed: body };
}
