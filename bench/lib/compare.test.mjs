import { describe, expect, it } from 'vitest';
import { compareTargets, formatTable } from './compare.mjs';
import { makeRandom } from './make-random.mjs';

/** @param {number} perSecond @param {number} cpuUs */
const round = (perSecond, cpuUs) => ({
  perSecond,
  cpuUs,
  p50Us: 1,
  p99Us: 2,
  failures: 0,
  databaseCpuUs: null,
  diskFlushes: null,
});

describe('compareTargets', () => {
  it('compareTargets computes ratios per round and returns their median and range', () => {
    const rows = compareTargets(
      {
        baseline: [round(100, 10), round(50, 10), round(100, 10)],
        rowhouse: [round(200, 5), round(50, 5), round(150, 5)],
      },
      'baseline',
    );
    expect(rows[1]).toMatchObject({
      target: 'rowhouse',
      perSecond: 150,
      ratio: { median: 1.5, min: 1, max: 2 },
      cpuUs: 5,
      cpuRatio: 0.5,
      databaseCpuUs: null,
    });
    expect(formatTable(rows)).toContain('| rowhouse | 150 | 1.50 (1.00 to 2.00) |');
  });
  it('compareTargets returns disk flushes per request if they were counted', () => {
    const rows = compareTargets(
      {
        baseline: [0.2, 0.4, 0.3].map((diskFlushes) => ({ ...round(100, 10), diskFlushes })),
        rowhouse: [round(100, 10)],
      },
      'baseline',
    );
    expect(rows.map(({ diskFlushes }) => diskFlushes)).toEqual([0.3, null]);
    expect(formatTable(rows)).toContain('| - | 0.300 | 0 |');
    expect(formatTable(rows)).toContain('| - | - | 0 |');
  });
  it('compareTargets throws when the baseline has no figures', () => {
    expect(() => compareTargets({ rowhouse: [] }, 'baseline')).toThrow(/No figures for baseline/);
  });
});

describe('makeRandom', () => {
  it('makeRandom returns evenly distributed numbers that repeat for the same seed', () => {
    const [a, b] = [makeRandom(7), makeRandom(7)];
    const seen = Array.from({ length: 1_000 }, () => a());
    expect(Array.from({ length: 1_000 }, () => b())).toEqual(seen);
    expect(new Set(seen.map((value) => Math.floor(value * 10))).size).toBe(10);
  });
});
