import { createHash } from 'node:crypto';
import type { GatewayRequest } from '../gateway-request.js';

/**
 * Returns a 32-byte digest of everything that identifies the request. A retry must be identical to the byte.
 */
export function fingerprintOf(request: GatewayRequest): Buffer {
  const { headers } = request;
  const body = createHash('sha256')
    .update(request.body ?? '')
    .digest('base64');
  const parts = [
    request.method,
    request.rawPath,
    request.rawQuery,
    body,
    headers['content-type'] ?? null,
    headers['prefer'] ?? null,
    headers['if-match'] ?? null,
  ];
  // Left out when missing, so that keys stored by earlier versions still match.
  if (headers['if-none-match'] !== undefined) parts.push(headers['if-none-match']);
  return createHash('sha256').update(JSON.stringify(parts)).digest();
}
