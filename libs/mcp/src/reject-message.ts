import type { McpResponse } from './mcp-endpoint.js';
import { MESSAGE_VALUES_MAX } from './take-arguments.js';

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
    `Invalid Request: beside the arguments of a tool a message holds at most ${MESSAGE_VALUES_MAX.toLocaleString('en')} values.`,
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
      'Invalid Request: send one message in each request, not an array of them.',
    );
  if (typeof message !== 'object' || message === null)
    return toErrorResponse(400, null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object.');
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
