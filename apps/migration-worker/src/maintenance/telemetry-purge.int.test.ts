import { createRetentionStore } from '@rowhouse/platform-store';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WorkerHarness } from '../testing/worker-harness.js';
import { createTelemetryPurge, ROWS_PER_BATCH } from './purge-telemetry.js';

let harness: WorkerHarness;
beforeAll(async () => {
  harness = await WorkerHarness.create();
});
afterAll(() => harness.close());

const never = new AbortController().signal;

async function writeLines(databaseId: string, daysOld: number, count = 1): Promise<void> {
  const log = `(?, ?, UTC_TIMESTAMP(3) - INTERVAL ? DAY, 'req', 'GET', 'GET /posts', 200, 1)`;
  const values = Array.from({ length: count }, () => [harness.cellId, databaseId, daysOld]).flat();
  await harness.platform.run(
    `INSERT INTO request_log (cell_id, database_id, at, request_id, method, route, status, duration_us) VALUES ${Array.from({ length: count }, () => log).join(',')}`,
    values,
  );
}

const writeUsage = (databaseId: string, daysOld: number): Promise<unknown> =>
  harness.platform.run(
    `INSERT INTO usage_minute (cell_id, database_id, minute, requests) VALUES (?, ?, DATE_FORMAT(UTC_TIMESTAMP() - INTERVAL ? DAY, '%Y-%m-%d %H:%i:00'), 1)`,
    [harness.cellId, databaseId, daysOld],
  );

const agesOf = async (table: string, column: string, databaseId: string): Promise<number[]> =>
  (
    await harness.platform.rows<{ age: number }>(
      `SELECT ROUND(TIMESTAMPDIFF(HOUR, ${column}, UTC_TIMESTAMP()) / 24) AS age FROM ${table} WHERE database_id = ? ORDER BY age`,
      [databaseId],
    )
  ).map((row) => Number(row.age));

describe('the purge of telemetry', () => {
  it('telemetry rows are retained as long as the plan of their database allows', async () => {
    const [standard, large, removed] = [
      await harness.insertDatabase(),
      await harness.insertDatabase(),
      { id: 'db_gone' },
    ];
    await harness.platform.run(`UPDATE tenant_database SET plan = 'large' WHERE id = ?`, [large.id]);
    for (const { id } of [standard, large, removed]) {
      for (const days of [1, 13, 15, 29, 31]) await writeLines(id, days);
      for (const days of [1, 99, 101, 399, 401]) await writeUsage(id, days);
    }
    const purge = createTelemetryPurge(createRetentionStore(harness.platform, harness.cellId));
    expect(await purge.run(never)).toBe(3 + 3 + 1 + 1 + 1 + 1);
    expect(await agesOf('request_log', 'at', standard.id)).toEqual([1, 13]);
    expect(await agesOf('usage_minute', 'minute', standard.id)).toEqual([1, 99]);
    for (const id of [large.id, removed.id]) {
      expect(await agesOf('request_log', 'at', id)).toEqual([1, 13, 15, 29]);
      expect(await agesOf('usage_minute', 'minute', id)).toEqual([1, 99, 101, 399]);
    }
    expect(await purge.run(never)).toBe(0);
  });

  it('the telemetry purge deletes rows of its own cell in batches', async () => {
    const database = await harness.insertDatabase();
    await writeLines(database.id, 40, ROWS_PER_BATCH);
    await writeLines(database.id, 40, 500);
    await writeLines(database.id, 2, 3);
    const store = createRetentionStore(harness.platform, harness.cellId);
    const sizes: number[] = [];
    const purge = createTelemetryPurge({
      ...store,
      purgeRequestLog: async (...from) => {
        const purged = await store.purgeRequestLog(...from);
        sizes.push(purged.rows);
        return purged;
      },
    });
    expect(await createTelemetryPurge(createRetentionStore(harness.platform, 'other')).run(never)).toBe(0);
    expect(await purge.run(never)).toBe(ROWS_PER_BATCH + 500);
    expect(Math.max(...sizes)).toBe(ROWS_PER_BATCH);
    expect(await agesOf('request_log', 'at', database.id)).toEqual([2, 2, 2]);
  });

  it('the worker runs the telemetry purge', async () => {
    const database = await harness.insertDatabase();
    await writeLines(database.id, 50);
    const worker = await harness.startWorker();
    await harness.poll(async () =>
      (await agesOf('request_log', 'at', database.id)).length === 0 ? true : null,
    );
    await worker.stop();
  });
});
