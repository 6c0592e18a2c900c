import { AppError } from '@rowhouse/errors';
import { parseJson, parseJsonInPieces, type JsonValue } from '@rowhouse/rest-engine';
import type { GatewayRequest } from '../http/gateway-request.js';

/** The JSON values that are parsed in one slice, about a millisecond of work. */
const VALUES_PER_SLICE = 8_192;

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

/**
 * Parses the body as JSON without loss. Returns undefined without a body.
 *
 * @throws AppError 400 or 415
 */
export function readJsonBody(request: GatewayRequest): JsonValue | undefined {
  if (request.parsed !== undefined) return request.parsed;
  const text = readText(request);
  return text === null ? undefined : parseJson(text);
}

/**
 * Parses the body as `readJsonBody` does, but in slices for a large body. `nextSlice` is awaited between
 * slices.
 */
export async function readLargeJsonBody(
  request: GatewayRequest,
  nextSlice: () => Promise<void>,
): Promise<JsonValue | undefined> {
  if (request.parsed !== undefined) return request.parsed;
  const text = checkBody(request) ? await decodeInPieces(request.body as Buffer, nextSlice) : null;
  return text === null ? undefined : readJsonText(text, nextSlice);
}

/** The bytes of a large body that are decoded in one slice. */
const DECODED_BYTES = 256 * 1024;

async function decodeInPieces(bytes: Buffer, nextSlice: () => Promise<void>): Promise<string> {
  const parts = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });
  const texts: string[] = [];
  for (let index = 0; index < bytes.length; index += DECODED_BYTES) {
    if (index > 0) await nextSlice();
    texts.push(
      decodeUtf8(bytes.subarray(index, index + DECODED_BYTES), parts, index + DECODED_BYTES < bytes.length),
    );
  }
  return texts.join('');
}

/**
 * Parses JSON text in slices. `nextSlice` is awaited between them. Rejects with the errors of `parseJson`.
 */
export function readJsonText(text: string, nextSlice: () => Promise<void>): Promise<JsonValue> {
  return parseJsonInPieces(text, VALUES_PER_SLICE, nextSlice);
}

/** Returns the body as text, or null without a body. */
function readText(request: GatewayRequest): string | null {
  return checkBody(request) ? decodeUtf8(request.body as Buffer, decoder, false) : null;
}

/**
 * Returns whether there is a body.
 *
 * @throws AppError 415 when the body is not JSON
 */
function checkBody(request: GatewayRequest): boolean {
  if (request.upload !== null) checkType(request);
  if (request.body === null || request.body.length === 0) return false;
  checkType(request);
  return true;
}

function checkType(request: GatewayRequest): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw new AppError('request.compressed_body', { hint: 'Send the body without Content-Encoding.' });
  }
  const type = request.headers['content-type'] ?? '';
  const mime = (type.split(';', 1)[0] ?? '').trim().toLowerCase();
  if (mime === 'application/json' || /^application\/[a-z0-9.+-]+\+json$/.test(mime)) return;
  if (mime === '')
    throw new AppError('request.unsupported_type', {
      detail: 'The request has a body without a Content-Type.',
      hint: 'Send Content-Type: application/json',
    });
  const hint =
    mime === 'application/x-www-form-urlencoded'
      ? "curl sends a form by default. Add -H 'Content-Type: application/json'."
      : 'Send Content-Type: application/json';
  throw new AppError('request.unsupported_type', { hint });
}

function decodeUtf8(bytes: Buffer, parts: InstanceType<typeof TextDecoder>, stream: boolean): string {
  try {
    return parts.decode(bytes, { stream });
  } catch {
    throw new AppError('request.invalid_utf8');
  }
}
