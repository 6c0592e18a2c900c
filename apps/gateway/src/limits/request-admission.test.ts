import { DEFAULT_DATABASE_SETTINGS, type KeyRecord, type Rate } from '@rowhouse/contracts';
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../tenant/tenant.js';
import { createRequestAdmission } from './request-admission.js';

function makeTenant(key: Partial<KeyRecord>, databaseRate: Rate | null = null): Tenant {
  return {
    key: { id: 'key_1', databaseId: 'db_1', origins: null, rate: null, ...key } as KeyRecord,
    keyHash: '',
    view: { name: '', rights: { tables: null, verbs: [], hiddenColumns: {} } },
    database: {
      record: { settings: { ...DEFAULT_DATABASE_SETTINGS, rate: databaseRate } },
    } as unknown as Tenant['database'],
  };
}

describe('admission', () => {
  it('an API key may have 256 requests running at once', () => {
    const admission = createRequestAdmission();
    const tenant = makeTenant({});
    const admitted = Array.from({ length: 256 }, () => admission.admit(tenant, undefined));
    expect(() => admission.admit(tenant, undefined)).toThrow(
      expect.objectContaining({ code: 'limit.concurrency', status: 429, retryAfterSeconds: 1 }),
    );
    expect(() => admission.admit(makeTenant({ id: 'key_2' }), undefined)).not.toThrow();
    admitted[0]?.release();
    expect(() => admission.admit(tenant, undefined)).not.toThrow();
  });

  it('the rate of a database applies to all its keys together', () => {
    const admission = createRequestAdmission();
    const rate = { per_second: 0.001, burst: 2 };
    expect(admission.admit(makeTenant({ id: 'a' }, rate), undefined).headers['RateLimit-Remaining']).toBe(
      '1',
    );
    admission.admit(makeTenant({ id: 'b' }, rate), undefined);
    expect(() => admission.admit(makeTenant({ id: 'c' }, rate), undefined)).toThrow(
      expect.objectContaining({ code: 'limit.rate' }),
    );
  });

  it('the cleanup of rate counters keeps those of running or recent requests', () => {
    const admission = createRequestAdmission();
    const rate = { per_second: 0.001, burst: 1 };
    admission.admit(makeTenant({ rate }), undefined).release();
    admission.sweep();
    expect(() => admission.admit(makeTenant({ rate }), undefined)).toThrow(
      expect.objectContaining({ code: 'limit.rate' }),
    );
  });

  it('admit rejects an origin that the database does not allow', () => {
    const admission = createRequestAdmission(['https://console.example']);
    const tenantOf = (origins: readonly string[] | null, allowed: readonly string[] | undefined): Tenant => {
      const tenant = makeTenant({ origins });
      return {
        ...tenant,
        database: {
          record: { settings: { ...tenant.database.record.settings, allowed_origins: allowed } },
        } as unknown as Tenant['database'],
      };
    };
    const admits = (tenant: Tenant, origin: string): boolean => {
      try {
        admission.admit(tenant, origin).release();
        return true;
      } catch {
        return false;
      }
    };
    expect(admits(tenantOf(null, undefined), 'https://any.example')).toBe(true);
    expect(
      ['https://app.example', 'https://console.example', 'https://evil.example'].map((origin) =>
        admits(tenantOf(null, ['https://app.example']), origin),
      ),
    ).toEqual([true, true, false]);
    expect(admits(tenantOf(['https://other.example'], ['https://app.example']), 'https://app.example')).toBe(
      false,
    );
  });

  it('admit rejects an origin that the key does not allow', () => {
    const admission = createRequestAdmission();
    const tenant = makeTenant({ origins: ['https://app.example'] });
    expect(() => admission.admit(tenant, 'https://evil.example')).toThrow(
      expect.objectContaining({ code: 'auth.origin_refused' }),
    );
    expect(() => admission.admit(tenant, 'https://app.example')).not.toThrow();
    expect(() => admission.admit(tenant, undefined)).not.toThrow();
  });

  it('settleRates reports the rates used since the last call', () => {
    const admission = createRequestAdmission();
    const rate = { per_second: 0.001, burst: 3 };
    admission.admit(makeTenant({ id: 'free' }), undefined);
    admission.admit(makeTenant({ id: 'key_r', rate }), undefined);
    admission.admit(makeTenant({ id: 'key_s' }, rate), undefined);
    expect(admission.settleRates()).toEqual([
      { id: 'key_r', requested: 1, granted: 1 },
      { id: 'db_1', requested: 1, granted: 1 },
    ]);
    expect(admission.settleRates()).toEqual([]);
    admission.noteOthers({ id: 'key_r', requested: 2, granted: 2 });
    admission.noteOthers({ id: 'nobody', requested: 2, granted: 2 });
    expect(() => admission.admit(makeTenant({ id: 'key_r', rate }), undefined)).toThrow(
      expect.objectContaining({ code: 'limit.rate' }),
    );
    expect(() => admission.admit(makeTenant({ id: 'key_s' }, rate), undefined)).not.toThrow();
  });
});
