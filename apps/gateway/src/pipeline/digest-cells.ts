import { createHmac, type KeyObject } from 'node:crypto';
import type { Cell, DigestCells } from '@rowhouse/rest-engine';

/** 16 bytes and a half are plenty: a tag is compared within one record only. */
const DIGEST_LENGTH = 22;

/** The keyed digest in ETags. Every cell is written with its type and length, so that no two rows are written alike. */
export function createDigest(key: KeyObject): DigestCells {
  return (cells) => createHmac('sha256', key).update(cells.map(writeCell).join('')).digest('base64url').slice(0, DIGEST_LENGTH);
}

function writeCell(cell: Cell): string {
  if (cell === null) return 'n;';
  if (typeof cell === 'string') return `t${cell.length}:${cell};`;
  if (cell instanceof Uint8Array) return `b${cell.length}:${Buffer.from(cell.buffer, cell.byteOffset, cell.byteLength).toString('latin1')};`;
  return `d${String(Object.is(cell, -0) ? '-0' : cell)};`;
}
