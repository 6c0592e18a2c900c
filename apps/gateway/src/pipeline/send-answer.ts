import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Answer } from './call.js';
import { CACHE_PRIVATE, COMMON_HEADERS } from './response-headers.js';

const compressBrotli = promisify(brotliCompress);
const compressGzip = promisify(gzip);

const COMPRESS_BYTES_MIN = 1_024;

export interface SendOptions {
  readonly requestId: string;
  readonly serverTiming: string;
  readonly isHead: boolean;
  readonly request: IncomingHttpHeaders;
}

/** Writes the answer with everything that all answers carry. Returns the bytes of the body as sent. */
export async function sendAnswer(res: ServerResponse, answer: Answer, options: SendOptions): Promise<number> {
  const { status, body, encoding } = await shapeBody(answer, options);
  const headers: Record<string, string | number> = {
    ...COMMON_HEADERS,
    'Cache-Control': CACHE_PRIVATE,
    'X-Request-Id': options.requestId,
    'Server-Timing': options.serverTiming,
    ...answer.headers,
  };
  if (encoding !== null) headers['Content-Encoding'] = encoding;
  if (body !== null) headers['Content-Length'] = typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
  else if (status !== 204 && status !== 304) headers['Content-Length'] = 0;
  if (res.destroyed || res.headersSent) return 0;
  res.writeHead(status, headers);
  res.end(options.isHead || body === null ? undefined : body);
  return body === null ? 0 : Number(headers['Content-Length']);
}

async function shapeBody(answer: Answer, options: SendOptions): Promise<{ status: number; body: string | Uint8Array | null; encoding: string | null }> {
  const tag = answer.headers['ETag'];
  if (answer.status === 200 && tag !== undefined && matchesTag(options.request['if-none-match'], tag)) return { status: 304, body: null, encoding: null };
  const { body } = answer;
  const encoding = body === null || body.length < COMPRESS_BYTES_MIN ? null : chooseEncoding(options.request['accept-encoding']);
  if (body === null || encoding === null) return { status: answer.status, body, encoding: null };
  const plain = typeof body === 'string' ? Buffer.from(body, 'utf8') : body;
  const packed = encoding === 'br' ? await compressBrotli(plain, { params: { [constants.BROTLI_PARAM_QUALITY]: 3 } }) : await compressGzip(plain, { level: 4 });
  return { status: answer.status, body: packed, encoding };
}

/** `br` or `gzip`, whichever is wanted more; null when neither is. */
export function chooseEncoding(accepted: string | readonly string[] | undefined): 'br' | 'gzip' | null {
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

/** Weak comparison, as If-None-Match wants it. */
function matchesTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  return header.split(',').some((part) => part.trim().replace(/^W\//, '') === tag.replace(/^W\//, ''));
}
