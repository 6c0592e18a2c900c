import { randomBytes } from 'node:crypto';

const BASE32 = 'abcdefghijklmnopqrstuvwxyz234567';

/** Returns random text in lower-case base32. Each character has 5 bits. */
export function randomBase32(length: number): string {
  let text = '';
  for (const byte of randomBytes(length)) text += BASE32[byte & 31];
  return text;
}

export type IdPrefix =
  | 'acc'
  | 'emt'
  | 'ses'
  | 'pat'
  | 'psk'
  | 'org'
  | 'inv'
  | 'prj'
  | 'db'
  | 'srv'
  | 'key'
  | 'lin'
  | 'con'
  | 'mig'
  | 'mov'
  | 'kep'
  | 'tsk'
  | 'syn'
  | 'qry'
  | 'qst'
  | 'acq'
  | 'shr'
  | 'fil'
  | 'lod'
  | 'req'
  | 'gw'
  | 'wrk';

/** Returns an id such as `prj_`, followed by 20 random characters (100 bits). */
export function createId(prefix: IdPrefix): string {
  return `${prefix}_${randomBase32(20)}`;
}
