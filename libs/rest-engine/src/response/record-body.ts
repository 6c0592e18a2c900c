import type { Assembler } from './assemble.js';
import type { ResultSet } from './result-set.js';

/** Up to this size, text is faster to send. Beyond it, bytes save decoding and encoding. */
const TEXT_BYTES_MAX = 64 * 1024;

/** Returns one record as the body of a response. */
export function recordBody(result: ResultSet): string | Uint8Array {
  const bytes = isLarge([result]) ? result.recordBytes(0, 1) : null;
  return bytes ?? `{${result.membersText(0)}}`;
}

/** Returns one record with its includes as the body of a response. */
export function assembledBody(
  assembler: Assembler,
  record: ResultSet,
  results: readonly ResultSet[],
): string | Uint8Array {
  if (!isLarge(results)) return assembler.recordText(record, 0);
  const array = record.arrayTextWith(1, (row, to) => assembler.addMembers(record, row, to));
  return typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1);
}

function isLarge(results: readonly ResultSet[]): boolean {
  let bytes = 0;
  for (const result of results) bytes += result.byteLength?.() ?? 0;
  return bytes > TEXT_BYTES_MAX;
}
