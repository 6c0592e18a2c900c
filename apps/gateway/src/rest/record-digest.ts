import { hash, type KeyObject } from 'node:crypto';
import { digestLarge, LARGE_BYTES } from '@rowhouse/mysql';
import type { Cell, DigestCells } from '@rowhouse/rest-engine';

/**
 * The number of base64url characters of a digest. They contain 132 bits, which suffices because tags are
 * only compared within one record.
 */
const DIGEST_LENGTH = 22;

/**
 * Creates the keyed digest for ETags. Each cell is hashed with its type and length, so that two different
 * rows never result in the same hashed text. A hash with a key as prefix takes a third of the time of an
 * HMAC. It is as secure here, because a truncated hash cannot be extended.
 */
export function createDigest(key: KeyObject): DigestCells {
  const prefix = key.export().toString('base64url');
  return (cells) => {
    let text = prefix;
    for (const cell of cells) text += writeCell(cell);
    return hash('sha256', text, 'base64url').slice(0, DIGEST_LENGTH);
  };
}

function writeCell(cell: Cell): string {
  if (cell === null) return 'n;';
  if (typeof cell === 'string')
    return isLargeText(cell) ? writeCell(digestLarge(Buffer.from(cell, 'utf8'))) : `t${cell.length}:${cell};`;
  if (cell instanceof Uint8Array)
    return cell.length > LARGE_BYTES
      ? writeCell(digestLarge(cell))
      : `b${cell.length}:${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('latin1')};`;
  return `d${String(Object.is(cell, -0) ? '-0' : cell)};`;
}

/**
 * Returns whether the text counts as large. Rows received as bytes already contain digests of their large
 * values, so the digests here must match.
 */
function isLargeText(text: string): boolean {
  return text.length * UNIT_BYTES_MAX > LARGE_BYTES && Buffer.byteLength(text) > LARGE_BYTES;
}

/** The maximum number of UTF-8 bytes for one UTF-16 code unit. */
const UNIT_BYTES_MAX = 3;
