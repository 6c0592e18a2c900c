import type { IncomingHttpHeaders } from 'node:http';
import type { McpToolbox } from './tools.js';

/** The maximum number of values besides the arguments of a tool. The protocol needs far fewer. */
export const MESSAGE_VALUES_MAX = 1_000;

interface TakenArguments {
  /** The message with `{}` in place of the arguments. */
  readonly message: unknown;
  /** Undefined when the message has no arguments that are an object. */
  readonly args: Readonly<Record<string, unknown>> | undefined;
}

const PARSE_ERROR = -32700;

const INVALID_REQUEST = -32600;

const METHOD_NOT_FOUND = -32601;

/** Returns the protocol's response to malformed JSON. */
export function rejectUnreadable(detail: string): McpResponse {
  return toErrorResponse(400, null, PARSE_ERROR, `Parse error: ${detail}`);
}

/** Returns the response to a message that is larger than the protocol needs. */
export function rejectTooLong(): McpResponse {
  return toErrorResponse(
    400,
    null,
    INVALID_REQUEST,
    `Invalid Request: the message has more than ${MESSAGE_VALUES_MAX.toLocaleString('en')} values outside the arguments.`,
  );
}

/** Returns a response for messages that are rejected before the protocol package runs, or null. */
export function rejectMessage(message: unknown): McpResponse | null {
  // A batch would count as one request for limits. Revisions since 2025-06-18 do not allow batches.
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
  // Nothing changes that a stream could report. The list of tools has a cache lifetime instead.
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
 * Removes the arguments of a tool from a message. The protocol package traverses its input several times, and
 * arguments may be large.
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

/** Returns whether a message has at most `MESSAGE_VALUES_MAX` values. */
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

/** A POST request with its body parsed as JSON. */
export interface McpRequest {
  readonly headers: IncomingHttpHeaders;
  readonly message: unknown;
}

export interface McpHandler {
  /** Processes one message with the tools of its sender. Stores nothing between messages. */
  serve(request: McpRequest, toolbox: McpToolbox): Promise<McpResponse>;
}
