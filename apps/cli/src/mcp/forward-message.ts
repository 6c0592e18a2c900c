import { readEnvelope, toHeaders, type Envelope } from './message-headers.js';

interface CarryOptions extends ForwarderOptions {
  /** The lines, each with one JSON-RPC message. */
  readonly lines: AsyncIterable<string>;
  /** Prints a response as one line, in the order of arrival. */
  readonly print: (text: string) => void;
}

const RUNNING_MAX = 16;

export interface ForwarderOptions {
  /** The address of the server's `/mcp` endpoint. */
  readonly url: string;
  /** An API key or a personal access token. */
  readonly bearer: string;
  readonly fetch: typeof globalThis.fetch;
}

export interface Forwarder {
  /** Returns the response as one line, or null when the message has none. Never rejects. */
  forward(line: string): Promise<string | null>;
  isOpening(line: string): boolean;
}

const SERVER_ERROR = -32000;
const PARSE_ERROR = -32700;

/** Creates a forwarder that sends each message in its own request. */
export function createForwarder({ url, bearer, fetch }: ForwarderOptions): Forwarder {
  const running = new Map<string, AbortController>();
  let version: string | null = null;

  async function send(line: string, envelope: Envelope): Promise<string | null> {
    const control = new AbortController();
    const name = JSON.stringify(envelope.id);
    if (envelope.id !== null) running.set(name, control);
    try {
      const response = await fetch(url, {
        method: 'POST',
        body: line,
        signal: control.signal,
        redirect: 'error',
        headers: {
          authorization: `Bearer ${bearer}`,
          accept: 'application/json, text/event-stream',
          'content-type': 'application/json',
          ...toHeaders(envelope, version),
        },
      });
      const text = await response.text();
      if (envelope.method === 'initialize') version = readVersion(text) ?? version;
      return toLine(envelope, response.status, text);
    } catch (error) {
      // A canceled request needs no response, and a notification has none.
      if (control.signal.aborted || envelope.id === null) return null;
      return writeError(
        envelope.id,
        SERVER_ERROR,
        `Couldn't reach the server at ${new URL(url).origin} (${readCause(error)}). Check the address and that the server is running.`,
      );
    } finally {
      if (running.get(name) === control) running.delete(name);
    }
  }

  return {
    isOpening: (line) => readEnvelope(line)?.method === 'initialize',
    async forward(line) {
      const envelope = readEnvelope(line);
      if (envelope === null)
        return writeError(null, PARSE_ERROR, 'Parse error: each line must be a JSON message.');
      if (envelope.method === 'notifications/cancelled')
        running.get(JSON.stringify(envelope.cancels))?.abort();
      return send(line, envelope);
    },
  };
}

/**
 * Converts the response to one line.
 * Protocol messages are unchanged, and other errors become errors of the message.
 */
function toLine({ id }: Envelope, status: number, text: string): string | null {
  const reported = readJson(text);
  // Line breaks in the response occur only between tokens, because JSON escapes them inside strings.
  if (isMessage(reported)) return id === null ? null : text.replace(/[\r\n]+/g, ' ');
  if (id === null) return null;
  if (status < 400)
    return writeError(
      id,
      SERVER_ERROR,
      `The server returned status ${status} without a message. Check that this is the address of an MCP server.`,
    );
  const { detail, hint } = (typeof reported === 'object' && reported !== null ? reported : {}) as {
    detail?: unknown;
    hint?: unknown;
  };
  const sentences = [
    typeof detail === 'string' ? detail : `The server returned status ${status}.`,
    ...(typeof hint === 'string' ? [hint] : []),
  ];
  return writeError(id, SERVER_ERROR, sentences.join(' '), reported ?? undefined);
}

function isMessage(value: unknown): boolean {
  return typeof value === 'object' && value !== null && 'jsonrpc' in value;
}

function readVersion(text: string): string | null {
  const reported = readJson(text) as { result?: { protocolVersion?: unknown } } | null;
  const found = reported?.result?.protocolVersion;
  return typeof found === 'string' ? found : null;
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function readCause(error: unknown): string {
  const cause = error instanceof Error ? (error.cause ?? error) : error;
  const code = typeof cause === 'object' && cause !== null ? (cause as { code?: unknown }).code : undefined;
  return typeof code === 'string' ? code : cause instanceof Error ? cause.message : 'no reason given';
}

function writeError(id: Envelope['id'], code: number, message: string, data?: unknown): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });
}

/**
 * Forwards MCP messages from stdin to a server over HTTP, and its responses to stdout. Messages are not
 * parsed and serialized again, so that digits and members of any protocol version are preserved. Resolves
 * when the input has ended and all responses have arrived.
 */
export async function forwardMessages({ lines, print, ...options }: CarryOptions): Promise<void> {
  const forwarder = createForwarder(options);
  const running = new Set<Promise<void>>();
  for await (const line of lines) {
    if (line.trim() === '') continue;
    while (running.size >= RUNNING_MAX) await Promise.race(running);
    const job = forwarder.forward(line).then((answer) => {
      if (answer !== null) print(`${answer}\n`);
    });
    running.add(job);
    void job.finally(() => running.delete(job));
    // The response is awaited, because it contains the protocol version of all further messages.
    if (forwarder.isOpening(line)) await job;
  }
  await Promise.all(running);
}
