import { AppError } from '@rowhouse/errors';
import type { RightsView } from '@rowhouse/snapshot-store';
import { describe, expect, it } from 'vitest';
import { createTrace } from '../telemetry/trace.js';
import type { TenantDatabase } from '../tenant/tenant.js';
import { onLiveSchema, type LiveSchemaServices } from './on-live-schema.js';

const view: RightsView = { name: 'v', rights: { tables: null, verbs: ['read'], hiddenColumns: {} } };
const database = { record: { id: 'db_1' }, placement: { isOutdated: true } } as unknown as TenantDatabase;

/** Returns the rights that the work receives when the database record is outdated. */
function readRights(readCurrentView: () => Promise<RightsView>): Promise<RightsView> {
  const services = {
    clockWatchdog: { wasSuspended: () => false },
    schemas: { use: () => ({ number: 1, release: () => undefined }) },
    tenants: { readCurrentView },
  } as unknown as LiveSchemaServices;
  return onLiveSchema(services, database, view, createTrace(), async (_use, current) => current);
}

const renamed = (hiddenColumns: Record<string, string[]>): RightsView => ({
  name: 'w',
  rights: { tables: { posts: ['read'] }, verbs: ['read'], hiddenColumns },
});

describe('the rights of a request whose database has changed', () => {
  it('a request keeps its rights while the platform database is unavailable', async () => {
    await expect(readRights(() => Promise.reject(new AppError('platform.unavailable')))).resolves.toBe(view);
  });

  it.each([
    new AppError('auth.invalid_key'),
    new AppError('limit.busy'),
    new AppError('limit.unknown_keys'),
    new AppError('db.unavailable'),
    new TypeError('not a function'),
  ])('a request is rejected when its rights cannot be read because of %s', async (error) => {
    await expect(readRights(() => Promise.reject(error))).rejects.toBe(error);
  });

  it('a request keeps its rights when only tables were renamed', async () => {
    await expect(readRights(() => Promise.resolve(renamed({})))).resolves.toBe(view);
  });

  it('a request is rejected when a column that it could read was hidden', async () => {
    await expect(readRights(() => Promise.resolve(renamed({ posts: ['title'] })))).rejects.toMatchObject({
      code: 'db.schema_changing',
    });
  });
});
