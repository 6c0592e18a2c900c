import { expect, it } from 'vitest';
import type { TenantDatabase } from '../../platform-db/entities/tenant-database.js';
import { toDatabaseResponse } from './database-service.js';

const row = {
  id: 'db_1',
  projectId: 'prj_1',
  environment: 'development',
  docsSlug: 'slug',
  provisionState: 'ready',
  snapshotNumber: 3,
  settings: { time_zone: 'Europe/Berlin' },
  createdAt: new Date('2026-01-31T00:00:00Z'),
  missingSince: null,
} as unknown as TenantDatabase;

it('a database response includes its addresses and the defaults of missing settings', () => {
  expect(
    toDatabaseResponse(row, { gatewayUrl: 'https://api.example.org', region: null }, undefined),
  ).toMatchObject({
    base_url: 'https://api.example.org',
    docs_url: 'https://api.example.org/v1/-/docs/slug',
    settings: { time_zone: 'Europe/Berlin', docs_enabled: true },
    created_at: '2026-01-31T00:00:00.000Z',
    missing_since: null,
  });
});

it('a database response includes the region only if the operator has set it', () => {
  expect(
    [null, 'Frankfurt'].map(
      (region) =>
        toDatabaseResponse(row, { gatewayUrl: 'https://api.example.org', region }, undefined).region,
    ),
  ).toEqual([null, 'Frankfurt']);
});

it('the engine of a database is null until its server was reached', () => {
  const config = { gatewayUrl: 'https://api.example.org', region: null };
  expect(toDatabaseResponse(row, config, undefined)).toMatchObject({ engine: null, engine_version: null });
  expect(toDatabaseResponse(row, config, { kind: 'mysql', version: '9.7.0' })).toMatchObject({
    engine: 'mysql',
    engine_version: '9.7.0',
  });
});
