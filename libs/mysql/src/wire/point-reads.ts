import type { RowFeed } from '../session/row-feed.js';
import type { PointRead } from '../types.js';
import { readCellAt, type RowLayout } from './row-layout.js';

/** A read of one row by an integer key, which can be combined with others of the same text. */
export interface PointJob {
  readonly sql: string;
  readonly point: PointRead | null;
  /** The key's digits. */
  readonly key: string;
  readonly feed: RowFeed<unknown>;
}

/**
 * The maximum number of keys in one combined statement. At most two combined statements are in flight on a
 * pipelined connection.
 */
export const POINTS_MAX = 32;
/**
 * The pattern of an integer without leading zeros or sign `+`. Each integer has one such spelling, so equal
 * keys have equal texts.
 */
const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/;

/**
 * Returns whether a read with this key can be combined with others, and its row can be assigned to it
 * afterwards.
 */
export function isPointKey(value: unknown): value is string {
  return typeof value === 'string' && INTEGER.test(value);
}

/** Groups the jobs that can be combined, in order. */
export function groupPointReads<J extends PointJob>(jobs: readonly J[]): J[][] {
  const groups: J[][] = [];
  const open = new Map<string, J[]>();
  for (const job of jobs) {
    const group = job.point === null ? undefined : open.get(job.sql);
    if (group !== undefined && group.length < POINTS_MAX) {
      group.push(job);
      continue;
    }
    const started = [job];
    groups.push(started);
    if (job.point !== null) open.set(job.sql, started);
  }
  return groups;
}

/**
 * Returns the keys of the jobs. The last key is repeated until their number is a power of two, so that a few
 * SQL texts cover all numbers of keys.
 */
export function padKeys(jobs: readonly PointJob[]): (number | bigint)[] {
  const keys = jobs.map((job) => toInteger(job.key));
  const size = 2 ** Math.ceil(Math.log2(keys.length));
  while (keys.length < size) keys.push(keys.at(-1) ?? 0);
  return keys;
}

/**
 * Converts a key to a number. Keys are not bound as text, because the engine would compare several texts as
 * floating-point numbers.
 */
function toInteger(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

/** Returns a feed that passes each row to the jobs that asked for its key. */
export function createPointFeed(jobs: readonly PointJob[], offset: number): RowFeed<unknown> {
  let known: RowLayout | null = null;
  const nothing = (): void => undefined;
  return {
    columns: nothing,
    row: nothing,
    counts: nothing,
    finish: nothing,
    abandon: nothing,
    layout(layout, describe) {
      known = layout;
      for (const { feed } of jobs) feed.layout(layout, describe);
    },
    wireRow(bytes, start, end) {
      if (known === null) return;
      const key = String(readCellAt(known, bytes, start, offset));
      for (const job of jobs) if (job.key === key) job.feed.wireRow(bytes, start, end);
    },
  };
}
