import { AppError } from '@rowhouse/errors';
import { parseJson, parseJsonInPieces, type JsonValue } from '@rowhouse/rest-engine';
import type { Call } from './call.js';

/** About a millisecond of work. */
const VALUES_PER_PIECE = 8_192;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses the body as JSON without loss. Returns undefined without a body.
 *
 * @throws AppError 400 or 415
 */
export function readJsonBody(call: Call): JsonValue | undefined {
  if (call.parsed !== undefined) return call.parsed;
  const text = readText(call);
  return text === null ? undefined : parseJson(text);
}

/** Parses a large body in slices. `turn` is awaited between them. Rejects with 400 or 415. */
export async function readLargeJsonBody(call: Call, turn: () => Promise<void>): Promise<JsonValue | undefined> {
  if (call.parsed !== undefined) return call.parsed;
  const text = checkBody(call) ? await decodeInPieces(call.body as Buffer, turn) : null;
  return text === null ? undefined : readJsonText(text, turn);
}

/** The bytes of a large body that are decoded in one slice. */
const DECODED_BYTES = 256 * 1024;

async function decodeInPieces(bytes: Buffer, turn: () => Promise<void>): Promise<string> {
  const pieces = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const texts: string[] = [];
  for (let at = 0; at < bytes.length; at += DECODED_BYTES) {
    if (at > 0) await turn();
    texts.push(decodeUtf8(bytes.subarray(at, at + DECODED_BYTES), pieces, at + DECODED_BYTES < bytes.length));
  }
  return texts.join('');
}

/** Parses JSON text in slices. `turn` is awaited between them. Rejects with the errors of `parseJson`. */
export function readJsonText(text: string, turn: () => Promise<void>): Promise<JsonValue> {
  return parseJsonInPieces(text, VALUES_PER_PIECE, turn);
}

/** Returns null without a body. */
function readText(call: Call): string | null {
  return checkBody(call) ? decodeUtf8(call.body as Buffer, decoder, false) : null;
}

/**
 * Returns whether there is a body.
 *
 * @throws AppError 415 when the body is not JSON
 */
function checkBody(call: Call): boolean {
  if (call.upload !== null) checkType(call);
  if (call.body === null || call.body.length === 0) return false;
  checkType(call);
  return true;
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

function decodeUtf8(bytes: Buffer, pieces: InstanceType<typeof TextDecoder>, stream: boolean): string {
  try {
    return pieces.decode(bytes, { stream });
  } catch {
    throw new AppError('request.invalid_utf8');
  }
}
