import type { ClaimedMigration, MigrationJournal } from '@rowhouse/platform-store';
import { createMetrics } from '@rowhouse/runtime';
import { describe, expect, it } from 'vitest';
import { watchMigrations } from './job-loop.js';

const MIGRATION = { id: 'mig_1' } as ClaimedMigration;

describe('watchMigrations', () => {
  it('migrations are counted by their result once it is written', async () => {
    const registry = createMetrics('test');
    let isUnavailable = false;
    const journal = watchMigrations(registry, {
      end: () => (isUnavailable ? Promise.reject(new Error('away')) : Promise.resolve()),
    } as unknown as MigrationJournal);
    await journal.end(MIGRATION, 'published', null);
    await journal.end(MIGRATION, 'published', null);
    await journal.end(MIGRATION, 'failed', null);
    isUnavailable = true;
    await expect(journal.end(MIGRATION, 'failed', null)).rejects.toThrow('away');
    const text = await registry.metrics();
    expect(text).toContain('worker_migrations_total{state="published",service="test"} 2');
    expect(text).toContain('worker_migrations_total{state="failed",service="test"} 1');
  });
});
