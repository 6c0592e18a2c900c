import type { IncomingHttpHeaders } from 'node:http';
import type { McpToolbox } from './tools.js';

/**
 * The maximum number of JSON values in a message, without the arguments of a tool. The protocol needs far
 * fewer.
 */
export const MESSAGE_VALUES_MAX = 1_000;

interface TakenArguments {
  /** The message with `{}` in place of the arguments. */
  readonly message: unknown;
  /** The arguments of the tool. Undefined if the message has none, or if they are not an object. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

const PARSE_ERROR = -32700;

const INVALID_REQUEST = -32600;

const METHOD_NOT_FOUND = -32601;

/** Returns the response that the protocol requires for malformed JSON. */
export function rejectUnreadable(detail: string): McpResponse {
  return toErrorResponse(400, null, PARSE_ERROR, `Parse error: ${detail}`);
}

/** Returns the response to a message that is longer than the protocol needs. */
export function rejectTooLong(): McpResponse {
  return toErrorResponse(
    400,
    null,
    INVALID_REQUEST,
    `Invalid Request: the message has more than ${MESSAGE_VALUES_MAX.toLocaleString('en')} values outside the arguments.`,
  );
}

/**
 * Returns the response to a message that is rejected before the protocol package handles it. Returns null for
 * all other messages.
 */
export function rejectMessage(message: unknown): McpResponse | null {
  // A batch of messages would count as one request in the rate limits. The protocol does not allow batches
  // since its revision 2025-06-18.
  if (Array.isArray(message))
    return toErrorResponse(
      400,
      null,
      INVALID_REQUEST,
      'Invalid Request: the body is an array. Send one message per request.',
    );
  if (typeof message !== 'object' || message === null)
    return toErrorResponse(400, null, INVALID_REQUEST, 'Invalid Request: the message must be a JSON object.');
  const { method, id } = message as { method?: unknown; id?: unknown };
  // The server offers no subscriptions, because nothing changes that it could report. Instead, the list of
  // tools has a cache lifetime.
  if (method === 'subscriptions/listen')
    return toErrorResponse(404, id, METHOD_NOT_FOUND, 'Method not found');
  return null;
}

function toErrorResponse(status: number, id: unknown, code: number, message: string): McpResponse {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return {
    status,
    contentType: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message } }),
  };
}

/**
 * Separates the arguments of a tool from the message. The protocol package traverses its input several times,
 * and arguments may be large.
 */
export function takeArguments(message: unknown): TakenArguments {
  if (!isObject(message) || !isObject(message['params']) || !isObject(message['params']['arguments']))
    return { message, args: undefined };
  const { params } = message;
  return {
    message: { ...message, params: { ...params, arguments: {} } },
    args: params['arguments'] as Record<string, unknown>,
  };
}

/** Reports whether a message has at most `MESSAGE_VALUES_MAX` values. */
export function isShortMessage(message: unknown): boolean {
  let found = 1;
  const open = [message];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    const inside: readonly unknown[] = Array.isArray(value) ? value : Object.values(value);
    found += inside.length;
    if (found > MESSAGE_VALUES_MAX) return false;
    open.push(...inside);
  }
  return true;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export interface McpResponse {
  readonly status: number;
  readonly contentType: string | null;
  readonly body: string | null;
}

/** A POST request with a body that was parsed as JSON. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
}

export interface McpHandler {
  /** Handles one message with the tools of its sender. Nothing is stored between messages. */
  serve(request: McpRequest, toolbox: McpToolbox): Promise<McpResponse>;
}
