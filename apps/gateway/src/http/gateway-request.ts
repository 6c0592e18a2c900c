import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '@rowhouse/errors';
import type { JsonValue } from '@rowhouse/rest-engine';
import type { Trace } from '../telemetry/trace.js';

/** One HTTP request as it was received. Apart from the HTTP protocol itself, nothing is decoded. */
export interface GatewayRequest {
  readonly id: string;
  readonly method: string;
  /** The path without the query, with its percent escapes as sent. */
  readonly rawPath: string;
  /** The query without the question mark. Empty without a query. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** Null when no body was sent, or when it is an upload. */
  readonly body: Buffer | null;
  /** The parsed body, if it is already known. MCP tools create requests from the contents of a message. */
  readonly parsed?: JsonValue;
  /** A body that is read as a stream. */
  readonly upload: IncomingMessage | null;
  /** The address of the peer, or of the client behind trusted proxies. */
  readonly address: string;
  /** The response, for results that are streamed. All other results are returned as a `GatewayResponse`. */
  readonly res: ServerResponse;
  /** Collects notes for the wide event. No step reads from it. */
  readonly trace: Trace;
}

/** A response. The request id, CORS headers and caching headers are added when it is sent. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Compresses the body. It is compressed once and sent many times, so the result must not be changed. */
  readonly pack?: (encoding: 'br' | 'gzip') => Promise<Buffer>;
  /** The number of bytes that were sent, if the response has already been written. */
  readonly sentBytes?: number;
  /**
   * The error that the body reports in another protocol, such as JSON-RPC. The log counts the request as
   * rejected with this error, although the HTTP status is 200.
   */
  readonly reportedError?: AppError;
}

/** Thrown when the client disconnected before its response was complete. */
export class ClientDisconnectedError extends Error {
  constructor() {
    super('the client disconnected');
    this.name = 'ClientDisconnectedError';
  }
}

export function jsonResponse(
  status: number,
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): GatewayResponse {
  return {
    status,
    headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}
