import { digestLargeSteps } from '@rowhouse/mysql';
import type { ApiResponse, ResultSet } from '@rowhouse/rest-engine';
import { runStepsInSlices } from '@rowhouse/schema-model';

/** If the parts have more bytes than this, they are joined as bytes instead of as a string. */
const TEXT_BYTES_MAX = 64 * 1024;

/**
 * Serializes rows with large values, which `JsonRows` has deferred, one slice at a time. `pause` is awaited
 * between two slices. Returns null when the results have no such rows.
 */
export function finishResults(
  results: readonly ResultSet[],
  pause: () => Promise<void>,
): Promise<void> | null {
  let isLate = false;
  for (const result of results) isLate ||= result.isLate === true;
  return isLate ? writeLate(results, pause) : null;
}

async function writeLate(results: readonly ResultSet[], pause: () => Promise<void>): Promise<void> {
  for (const result of results) {
    const steps = result.lateSteps?.() ?? null;
    if (steps !== null) await runStepsInSlices(steps, pause);
  }
}

/** Adds an ETag, for which a large body is hashed in slices. */
export async function addBodyTag(response: ApiResponse, pause: () => Promise<void>): Promise<ApiResponse> {
  const { body, tagWith, ...rest } = response;
  if (tagWith === undefined || !(body instanceof Uint8Array)) return response;
  const digested = await runStepsInSlices(digestLargeSteps(body), pause);
  return { ...rest, body, headers: { ...rest.headers, ETag: tagWith(digested) } };
}

/** Joins strings and bytes to a body. Large bytes are not decoded. */
export function joinParts(parts: readonly (string | Uint8Array)[]): string | Uint8Array {
  let bytes = 0;
  for (const part of parts) bytes += typeof part === 'string' ? 0 : part.length;
  if (bytes > TEXT_BYTES_MAX)
    return Buffer.concat(parts.map((part) => (typeof part === 'string' ? Buffer.from(part, 'utf8') : part)));
  return parts
    .map((part) =>
      typeof part === 'string'
        ? part
        : Buffer.from(part.buffer, part.byteOffset, part.byteLength).toString('utf8'),
    )
    .join('');
}
