import { createHash } from 'node:crypto';
import type { Call } from '../call.js';

/** 32 bytes over everything that makes the request what it is. A retry is the same request to the byte. */
export function fingerprintOf(call: Call): Buffer {
  const { headers } = call;
  const body = createHash('sha256').update(call.body ?? '').digest('base64');
  const parts = [call.method, call.rawPath, call.rawQuery, body, headers['content-type'] ?? null, headers['prefer'] ?? null, headers['if-match'] ?? null];
  // Left out where it is missing, so that keys stored by earlier versions are found again.
  if (headers['if-none-match'] !== undefined) parts.push(headers['if-none-match']);
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
