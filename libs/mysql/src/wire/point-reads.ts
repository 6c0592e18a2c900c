import type { PointRead } from '@rowhouse/rest-engine';
import type { RowFeed } from '../pool-row-feed.js';
import { readCellAt, type RowLayout } from './row-layout.js';

/** A read of one row by an integer, which may be made together with others of the same text. */
export interface PointJob {
  readonly sql: string;
  readonly point: PointRead | null;
  /** The key's digits. */
  readonly key: string;
  readonly feed: RowFeed<unknown>;
}

/** As many as one statement asks for; a lane holds no more than two of these. */
export const POINTS_MAX = 32;
/** One integer has one spelling: equal keys, equal texts. */
const INTEGER = /^(?:0|-?[1-9]\d{0,19})$/;

/** Whether the value may be looked for among others and told apart again. */
export function isPointKey(value: unknown): value is string {
  return typeof value === 'string' && INTEGER.test(value);
}

/** The jobs in their order, those that may go together as one. */
export function groupPointReads<J extends PointJob>(jobs: readonly J[]): J[][] {
  const groups: J[][] = [];
  const open = new Map<string, J[]>();
  for (const job of jobs) {
    const group = job.point === null ? undefined : open.get(job.sql);
    if (group !== undefined && group.length < POINTS_MAX) {
      group.push(job);
      continue;
    }
    const begun = [job];
    groups.push(begun);
    if (job.point !== null) open.set(job.sql, begun);
  }
  return groups;
}

/** The keys, the last one again and again until there are a power of two: few texts serve all numbers of keys. */
export function padKeys(jobs: readonly PointJob[]): (number | bigint)[] {
  const keys = jobs.map((job) => toInteger(job.key));
  const size = 2 ** Math.ceil(Math.log2(keys.length));
  while (keys.length < size) keys.push(keys.at(-1) ?? 0);
  return keys;
}

/** Not as text: with several texts the engine compares as doubles. */
function toInteger(digits: string): number | bigint {
  const value = Number(digits);
  return Number.isSafeInteger(value) ? value : BigInt(digits);
}

/** Gives each row to those who asked for its key. */
export function createPointFeed(jobs: readonly PointJob[], at: number): RowFeed<unknown> {
  let known: RowLayout | null = null;
  const nothing = (): void => undefined;
  return {
    columns: nothing, row: nothing, counts: nothing, finish: nothing, abandon: nothing,
    layout(layout, describe) {
      known = layout;
      for (const { feed } of jobs) feed.layout(layout, describe);
    },
    wireRow(bytes, start, end) {
      if (known === null) return;
      const key = String(readCellAt(known, bytes, start, at));
      for (const job of jobs) if (job.key === key) job.feed.wireRow(bytes, start, end);
    },
  };
}
