import { describe, expect, it } from 'vitest';
import { normaliseQuery } from './normalise-query.js';

const FENCE = '```';

describe('normaliseQuery', () => {
  it.each([
    [`${FENCE}sql\nSELECT 1\n${FENCE}`, 'SELECT 1'],
    [`${FENCE} SQL \r\nSELECT 1;\r\n${FENCE}`, 'SELECT 1'],
    [`${FENCE}\nSELECT 1${FENCE}`, 'SELECT 1'],
    [`${FENCE}${FENCE}`, ''],
    [`${FENCE}sql\nSELECT 1`, `${FENCE}sql\nSELECT 1`],
    [`\ufeff \`SELECT 1\` `, 'SELECT 1'],
    ['SELECT\u00a01', 'SELECT 1'],
    ["SELECT\u00a0'a\u00a0b'", "SELECT 'a\u00a0b'"],
    ["ada's\u00a0posts", "ada's posts"],
  ])('normaliseQuery returns for %j: %j', (text, query) => {
    expect(normaliseQuery(text)).toBe(query);
  });

  it.each([
    ['a fence before blanks', `${FENCE}${' '.repeat(30_000)}x`],
    ['a fence around blanks', `${FENCE}${' '.repeat(30_000)}x${FENCE}`],
    ['quotes that never close', `\u00a0${"'\\".repeat(15_000)}`],
    ['comments that never close', `\u00a0${'/*'.repeat(15_000)}`],
  ])('normaliseQuery processes a long text quickly with %s', (_name, text) => {
    // The test measures time, because the steps of a regular expression cannot be counted. With quadratic
    // time, this text takes minutes.
    const startedMs = performance.now();
    normaliseQuery(text);
    expect(performance.now() - startedMs).toBeLessThan(1_000);
  });
});
