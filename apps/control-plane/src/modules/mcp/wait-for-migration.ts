import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES, type MigrationResponse } from '@rowhouse/contracts';
import type { ControlApi } from './control-api-caller.js';

const CHECK_INTERVAL_MS = 200;
/** A longer migration continues. The tool returns its state and can be called again. */
const WAIT_MS_MAX = 25_000;

/** Returns the migration when it has ended, or its state after a while. */
export async function waitForMigration(api: ControlApi, id: string): Promise<MigrationResponse> {
  const endMs = performance.now() + WAIT_MS_MAX;
  for (;;) {
    const migration = (await api.call(
      'GET',
      `/api/migrations/${encodeURIComponent(id)}`,
    )) as MigrationResponse;
    if (MIGRATION_END_STATES.includes(migration.state) || performance.now() > endMs) return migration;
    await pause(CHECK_INTERVAL_MS);
  }
}
