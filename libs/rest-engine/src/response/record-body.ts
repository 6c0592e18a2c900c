import type { Assembler } from './assemble.js';
import type { ResultSet } from './result-set.js';

/** Text is faster to send up to here, bytes need not be decoded and encoded again. */
const TEXT_BYTES_MAX = 64 * 1024;

/** One record as the body of an answer. */
export function recordBody(result: ResultSet): string | Uint8Array {
  const bytes = isLarge([result]) ? result.recordBytes(0, 1) : null;
  return bytes ?? `{${result.membersText(0)}}`;
}

/** The same with what the record includes. */
export function assembledBody(assembler: Assembler, record: ResultSet, results: readonly ResultSet[]): string | Uint8Array {
  if (!isLarge(results)) return assembler.recordText(record, 0);
  const array = record.arrayTextWith(1, (row, to) => assembler.addMembers(record, row, to));
  return typeof array === 'string' ? array.slice(1, -1) : array.subarray(1, -1);
}

function isLarge(results: readonly ResultSet[]): boolean {
  let bytes = 0;
  for (const result of results) bytes += result.byteLength?.() ?? 0;
  return bytes > TEXT_BYTES_MAX;
}
