import type { McpAnswer } from './mcp-endpoint.js';
import { MESSAGE_VALUES_MAX } from './take-arguments.js';

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;

/** JSON that cannot be read, in the terms of the protocol. */
export function refuseUnreadable(detail: string): McpAnswer {
  return toErrorAnswer(400, null, PARSE_ERROR, `Parse error: ${detail}`);
}

/** A message that holds more than the protocol has a use for. */
export function refuseTooLong(): McpAnswer {
  return toErrorAnswer(400, null, INVALID_REQUEST, `Invalid Request: beside the arguments of a tool a message holds at most ${MESSAGE_VALUES_MAX.toLocaleString('en')} values.`);
}

/** What is refused before the protocol is asked; null for everything else. */
export function refuseMessage(message: unknown): McpAnswer | null {
  // One request has one place and one rate: an array would smuggle many under it. No revision since 2025-06-18 has them.
  if (Array.isArray(message)) return toErrorAnswer(400, null, INVALID_REQUEST, 'Invalid Request: send one message in each request, not an array of them.');
  if (typeof message !== 'object' || message === null) return toErrorAnswer(400, null, INVALID_REQUEST, 'Invalid Request: a message is a JSON object.');
  const { method, id } = message as { method?: unknown; id?: unknown };
  // Nothing here changes by itself that a stream could tell of: the list of tools says how long it may be kept.
  if (method === 'subscriptions/listen') return toErrorAnswer(404, id, METHOD_NOT_FOUND, 'Method not found');
  return null;
}

function toErrorAnswer(status: number, id: unknown, code: number, message: string): McpAnswer {
  const known = typeof id === 'string' || typeof id === 'number' ? id : null;
  return { status, contentType: 'application/json', body: JSON.stringify({ jsonrpc: '2.0', id: known, error: { code, message } }) };
}
