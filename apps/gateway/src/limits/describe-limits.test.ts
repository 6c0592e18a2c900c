import { readFileSync } from 'node:fs';
import { DEFAULT_DATABASE_SETTINGS } from '@rowhouse/contracts';
import { ERROR_CODES } from '@rowhouse/errors';
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { describeLimits, PUBLISHED_LIMITS } from './describe-limits.js';

const page = readFileSync(new URL('../../../../docs/api/limits.md', import.meta.url), 'utf8');
const tenant = (rate: { per_second: number; burst: number } | null): Tenant =>
  ({ key: { rate }, database: { record: { settings: DEFAULT_DATABASE_SETTINGS } } }) as unknown as Tenant;

describe('published limits', () => {
  it('the limits docs list exactly the published limits with value and code', () => {
    const documented = [...page.matchAll(/^\| `([a-z_]+)` \| (\d+) \|(?: `([a-z_.]+)` \|)?/gm)].map(
      ([, name, value, code]) => ({ name, value: Number(value), code: code ?? null }),
    );
    const byName = (a: { name?: string | undefined }, b: { name?: string | undefined }): number =>
      (a.name ?? '') < (b.name ?? '') ? -1 : 1;
    expect(documented.sort(byName)).toEqual(
      PUBLISHED_LIMITS.map(({ name, value, code }) => ({ name, value, code })).sort(byName),
    );
  });

  it('every error about a limit contains its value', () => {
    for (const { code, value } of PUBLISHED_LIMITS) {
      if (code?.startsWith('limit.') !== true || ['limit.concurrency', 'limit.streams'].includes(code))
        continue;
      expect(ERROR_CODES[code].text.replaceAll(',', ''), code).toMatch(
        new RegExp(`\\b(${value}|${value / 2 ** 20} MiB)\\b`),
      );
    }
  });

  it('describeLimits includes the rate of the key', () => {
    expect(describeLimits(tenant(null), 7_000)).not.toHaveProperty('requests_per_second');
    expect(describeLimits(tenant({ per_second: 5, burst: 9 }), 7_000)).toMatchObject({
      rows_examined: 7_000,
      requests_per_second: 5,
      requests_per_burst: 9,
      body_bytes: 8_388_608,
    });
  });
});
