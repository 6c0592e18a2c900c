/** The maximum size at which parts are joined as a string. */
const TEXT_BYTES_MAX = 64 * 1024;

/** Joins a body from strings and bytes, without decoding large bytes. */
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
