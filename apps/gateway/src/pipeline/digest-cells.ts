import { hash, type KeyObject } from 'node:crypto';
import { digestLarge, LARGE_BYTES } from '@rowhouse/mysql';
import type { Cell, DigestCells } from '@rowhouse/rest-engine';

/** 16 bytes and a half are plenty: a tag is compared within one record only. */
const DIGEST_LENGTH = 22;

/**
 * The keyed digest in ETags. Every cell is written with its type and length, so that no two rows are written alike. The
 * key in front is as good as an HMAC here, since a cut hash cannot be gone on with, and takes a third of its time.
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
  if (typeof cell === 'string') return isLargeText(cell) ? writeCell(digestLarge(Buffer.from(cell, 'utf8'))) : `t${cell.length}:${cell};`;
  if (cell instanceof Uint8Array) return cell.length > LARGE_BYTES ? writeCell(digestLarge(cell)) : `b${cell.length}:${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('latin1')};`;
  return `d${String(Object.is(cell, -0) ? '-0' : cell)};`;
}

/** Where rows come as bytes, large values were digested in slices already: the same stands for them here. */
function isLargeText(text: string): boolean {
  return text.length * UNIT_BYTES_MAX > LARGE_BYTES && Buffer.byteLength(text) > LARGE_BYTES;
}

/** UTF-8 takes no more for a unit of UTF-16. */
const UNIT_BYTES_MAX = 3;
