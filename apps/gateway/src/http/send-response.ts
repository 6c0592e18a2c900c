import { isAscii } from 'node:buffer';
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { AppError } from '@rowhouse/errors';
import { returnBytes } from '@rowhouse/mysql';
import { CACHE_PRIVATE, COMMON_HEADERS } from './error-response.js';
import type { GatewayResponse } from './gateway-request.js';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

/** The encoding of a body as sent. */
export type Encoding = 'br' | 'gzip';

const COMPRESS_BYTES_MIN = 1_024;
/**
 * The maximum length in bytes at which a body is sent as a string. Node would copy a longer string once more
 * to join it with the head.
 */
const ONE_PIECE_BYTES_MAX = 16_000;
/**
 * The common headers as a list of names and values in turn. A response does not set one of these headers
 * itself.
 */
const COMMON_HEADER_LIST: readonly string[] = Object.entries(COMMON_HEADERS).flat();

export interface SendOptions {
  readonly requestId: string;
  readonly serverTiming: string;
  readonly isHead: boolean;
  /** True for GET and HEAD, to which `If-None-Match` applies. */
  readonly isRead: boolean;
  readonly request: IncomingHttpHeaders;
}

/**
 * Writes the response with the common headers. Returns the number of body bytes sent. A body that cannot be
 * compressed is reported to `onFault` and sent without compression.
 *
 * @throws AppError `internal.defect` when the headers cannot be sent. The connection is closed then.
 */
export function sendResponse(
  res: ServerResponse,
  response: GatewayResponse,
  options: SendOptions,
  onFault: (error: unknown) => void,
): number | Promise<number> {
  const tag = response.headers['ETag'];
  if (
    options.isRead &&
    response.status === 200 &&
    tag !== undefined &&
    matchesTag(options.request['if-none-match'], tag)
  )
    return write(res, response, options, 304, null, null);
  const { body } = response;
  const encoding =
    body === null || body.length < COMPRESS_BYTES_MIN
      ? null
      : chooseEncoding(options.request['accept-encoding']);
  if (body === null || encoding === null) return write(res, response, options, response.status, body, null);
  const { pack } = response;
  return (pack === undefined ? compress(body, encoding) : pack(encoding)).then(
    (packed) => {
      if (typeof body !== 'string' && pack === undefined) returnBytes(body);
      return write(res, response, options, response.status, packed, encoding);
    },
    (error: unknown) => {
      onFault(error);
      return write(res, response, options, response.status, body, null);
    },
  );
}

/** Compresses in the thread pool. */
export function compress(body: string | Uint8Array, encoding: Encoding): Promise<Buffer> {
  const plain = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  return encoding === 'br'
    ? compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } })
    : compressGzip(plain, { level: 4 });
}

function write(
  res: ServerResponse,
  response: GatewayResponse,
  options: SendOptions,
  status: number,
  body: string | Uint8Array | null,
  encoding: string | null,
): number {
  const bytes = body === null ? 0 : typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  if (res.destroyed || res.headersSent) return 0;
  try {
    res.writeHead(
      status,
      listHeaders(response, options, encoding, status === 204 || status === 304 ? null : bytes),
    );
    if (options.isHead || body === null) res.end();
    else if (typeof body === 'string') res.end(body);
    else if (response.pack !== undefined) res.end(body);
    else endWithBytes(res, body);
    return options.isHead ? 0 : bytes;
  } catch (error) {
    // The connection is closed, which is better than a response without some of its headers.
    res.destroy();
    const internal = `the response could not be sent: ${String(error)}`;
    throw new AppError('internal.defect', { internal, cause: error });
  }
}

/**
 * Ends the response with bytes. Short ASCII bytes are sent as a string, because Node sends the head and a
 * string in one write, but the head and bytes in two.
 */
function endWithBytes(res: ServerResponse, body: Uint8Array): void {
  if (body.byteLength <= ONE_PIECE_BYTES_MAX && Buffer.isBuffer(body) && isAscii(body)) {
    res.end(body.toString('latin1'), 'latin1');
    returnBytes(body);
  } else res.end(body, () => void (res.errored === null && returnBytes(body)));
}

/** Returns header names and values alternately. Node uses such a list without converting it. */
export function listHeaders(
  response: Pick<GatewayResponse, 'headers'>,
  options: Pick<SendOptions, 'requestId' | 'serverTiming'>,
  encoding: string | null,
  length: number | null,
): string[] {
  const list = [
    ...COMMON_HEADER_LIST,
    'X-Request-Id',
    options.requestId,
    'Server-Timing',
    options.serverTiming,
  ];
  if (response.headers['Cache-Control'] === undefined) list.push('Cache-Control', CACHE_PRIVATE);
  for (const name in response.headers) list.push(name, response.headers[name] ?? '');
  if (encoding !== null) list.push('Content-Encoding', encoding);
  if (length !== null) list.push('Content-Length', String(length));
  return list;
}

/** Returns `br` or `gzip`, depending on the client's weights, or null when neither is accepted. */
export function chooseEncoding(accepted: string | readonly string[] | undefined): Encoding | null {
  if (accepted === undefined) return null;
  const weights = new Map<string, number>();
  for (const part of String(accepted).toLowerCase().split(',')) {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((text) => text.startsWith('q='));
    weights.set(name, weight === undefined ? 1 : Number(weight.slice(2)) || 0);
  }
  const weigh = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  const [brotli, zip] = [weigh('br'), weigh('gzip')];
  if (brotli <= 0 && zip <= 0) return null;
  return brotli >= zip ? 'br' : 'gzip';
}

/**
 * Returns whether the `If-Match` header of a read matches. The comparison is strong. If a response has no
 * tag, it matches only `*`.
 */
export function holdsIfMatch(header: string, tag: string | undefined): boolean {
  return (
    header.trim() === '*' ||
    (tag !== undefined && !tag.startsWith('W/') && header.split(',').some((part) => part.trim() === tag))
  );
}

/** Returns whether `If-None-Match` lists the tag. The comparison ignores `W/` (RFC 9110, section 13.1.2). */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));
}
