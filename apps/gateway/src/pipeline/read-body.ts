import { AppError } from '@rowhouse/errors';
import { parseJson, parseJsonInPieces, type JsonValue } from '@rowhouse/rest-engine';
import type { Call } from './call.js';

/** About a millisecond of work. */
const VALUES_PER_PIECE = 8_192;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/** The body as JSON without loss; undefined without a body. Throws 400 and 415. */
export function readJsonBody(call: Call): JsonValue | undefined {
  if (call.parsed !== undefined) return call.parsed;
  const text = readText(call);
  return text === null ? undefined : parseJson(text);
}

/** The same of a large body: `turn` is awaited between its pieces. Rejects with 400 and 415. */
export async function readLargeJsonBody(call: Call, turn: () => Promise<void>): Promise<JsonValue | undefined> {
  if (call.parsed !== undefined) return call.parsed;
  const text = readText(call);
  return text === null ? undefined : readJsonText(text, turn);
}

/** JSON text in pieces: `turn` is awaited between them. Rejects as `parseJson` throws. */
export function readJsonText(text: string, turn: () => Promise<void>): Promise<JsonValue> {
  return parseJsonInPieces(text, VALUES_PER_PIECE, turn);
}

/** Null without a body. */
function readText(call: Call): string | null {
  if (call.upload !== null) checkType(call);
  if (call.body === null || call.body.length === 0) return null;
  checkType(call);
  return decodeUtf8(call.body);
}

function checkType(call: Call): void {
  const encoding = call.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('request.compressed_body', { hint: 'Leave Content-Encoding out.' });
  }
  const type = call.headers['content-type'] ?? '';
  const mime = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mime === 'application/json' || /^application\/[a-z0-9.+-]+\+json$/.test(mime)) return;
  if (mime === '') throw new AppError('request.unsupported_type', { detail: 'The body says not what it is.', hint: 'Send Content-Type: application/json' });
  const hint = mime === 'application/x-www-form-urlencoded' ? "curl sends a form unless told otherwise: add -H 'Content-Type: application/json'" : 'Send Content-Type: application/json';
  throw new AppError('request.unsupported_type', { hint });
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return decoder.decode(bytes);
  } catch {
    throw new AppError('request.invalid_utf8');
  }
}
