import type { DatabaseResponse } from '@rowhouse/contracts';
import { setTimeout as pause } from 'node:timers/promises';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';

const CHECK_INTERVAL_MS = 250;
const WAIT_MAX_MS = 120_000;

/** Waits until a database, which is created in the background, is ready. Returns the ready database. */
export async function waitUntilReady(ctx: Context, created: DatabaseResponse): Promise<DatabaseResponse> {
  const api = ctx.api();
  const startedAt = performance.now();
  for (let now = created; ; now = await api.get<DatabaseResponse>(`/api/databases/${created.id}`)) {
    if (now.state === 'ready') return now;
    if (now.state === 'failed')
      throw new CliError(`Couldn't create ${now.environment}.`, {
        next: `run rowhouse databases delete -d ${now.environment} and try again`,
      });
    if (performance.now() - startedAt > WAIT_MAX_MS)
      throw new CliError(`${now.environment} is not ready yet.`, {
        next: 'check rowhouse databases list in a few minutes',
      });
    ctx.output.progress(`Creating ${now.environment}`);
    await pause(CHECK_INTERVAL_MS, undefined, { signal: ctx.environment.stopped }).catch(() => undefined);
  }
}
