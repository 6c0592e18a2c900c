/** The parts of a message for its HTTP headers. */
export interface Envelope {
  /** Null for a message without a response. */
  readonly id: string | number | null;
  readonly method: string | null;
  /** The protocol version in the message itself, which all messages have since 2026. */
  readonly claimed: string | null;
  readonly name: string | null;
  /** The id of the request to cancel. */
  readonly cancels: unknown;
}

const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion';

/** Returns null when the line is not JSON. */
export function readEnvelope(line: string): Envelope | null {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    return null;
  }
  const { id, method, params } = (isObject(message) ? message : {}) as {
    id?: unknown;
    method?: unknown;
    params?: unknown;
  };
  const provided = isObject(params) ? params : {};
  const meta = isObject(provided['_meta']) ? provided['_meta'] : {};
  return {
    id: typeof id === 'string' || typeof id === 'number' ? id : null,
    method: toText(method),
    claimed: toText(meta[VERSION_MEMBER]),
    name: toText(provided['name']) ?? toText(provided['uri']),
    cancels: provided['requestId'],
  };
}

/**
 * Returns the headers that servers compare with the message.
 * `version` is the result of the handshake in protocol versions before 2026.
 */
export function toHeaders(
  { method, claimed, name }: Envelope,
  version: string | null,
): Record<string, string> {
  if (claimed === null)
    return version === null || method === 'initialize' ? {} : { 'mcp-protocol-version': version };
  return {
    'mcp-protocol-version': claimed,
    ...(method === null ? {} : { 'mcp-method': encode(method) }),
    ...(name === null ? {} : { 'mcp-name': encode(name) }),
  };
}

/** Encodes values that are invalid in a header as Base64, as the protocol specifies. */
function encode(text: string): string {
  const isPlain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !/^=\?base64\?.*\?=$/.test(text);
  return isPlain ? text : `=?base64?${Buffer.from(text, 'utf8').toString('base64')}?=`;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function toText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
