import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AppError } from '@rowhouse/errors';
import type { JsonValue } from '@rowhouse/rest-engine';
import type { Trace } from './trace.js';

/** One HTTP request as it came. Nothing in it has been decoded but the bytes of HTTP itself. */
export interface Call {
  readonly id: string;
  readonly method: string;
  /** Without query, percent escapes as sent. */
  readonly rawPath: string;
  /** Without the question mark; '' without a query. */
  readonly rawQuery: string;
  readonly headers: IncomingHttpHeaders;
  /** Null: no body was sent, or it is an upload. */
  readonly body: Buffer | null;
  /** What the body says, where that is known already: a tool of MCP makes requests of what a message holds. */
  readonly parsed?: JsonValue;
  /** A body that is read while it comes. */
  readonly upload: IncomingMessage | null;
  /** Of the peer, or of the client behind proxies that are trusted. */
  readonly address: string;
  /** For answers that are written as they come; all others are given back as a value. */
  readonly res: ServerResponse;
  /** Takes notes for the wide event; no step reads from it. */
  readonly trace: Trace;
}

/** What goes back; request id, CORS and caching are added when it is sent. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array | null;
  /** Of a body that is compressed once and sent many times. Not changed. */
  readonly pack?: (encoding: 'br' | 'gzip') => Promise<Buffer>;
  /** The answer has been written already, in so many bytes. */
  readonly sentBytes?: number;
  /** What the answer tells of within a protocol of its own: the log counts it as refused with it. */
  readonly refused?: AppError;
}

/** The client went away before its answer was complete: there is nobody to tell anything. */
export class ClientGone extends Error {
  constructor() {
    super('the client is gone');
    this.name = 'ClientGone';
  }
}

export function jsonAnswer(status: number, value: unknown, headers: Readonly<Record<string, string>> = {}): Answer {
  return { status, headers: { 'Content-Type': 'application/json; charset=utf-8', ...headers }, body: JSON.stringify(value) };
}
