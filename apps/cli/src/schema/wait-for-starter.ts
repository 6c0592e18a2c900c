import { setTimeout as pause } from 'node:timers/promises';
import type { ListResponse, MigrationResponse, ProjectResponse } from '@rowhouse/contracts';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';
import { waitUntilReady } from './wait-until-ready.js';

const CHECK_INTERVAL_MS = 250;
const WAIT_MAX_MS = 300_000;

/**
 * A new project. `migrations` is present when the response came before the
 * starter was live, and empty when it came before the starter was planned.
 */
export type NewProject = ProjectResponse & { readonly migrations?: readonly MigrationResponse[] };

/**
 * Returns the migrations of a new project's starter, which may be planned after the response.
 * Returns an empty list without a starter.
 */
export async function waitForStarter(
  ctx: Context,
  { migrations, databases, id }: NewProject,
  hasStarter: boolean,
): Promise<readonly MigrationResponse[]> {
  if (migrations === undefined || migrations.length > 0) return migrations ?? [];
  for (const database of databases) await waitUntilReady(ctx, database);
  const startedAt = performance.now();
  while (hasStarter) {
    const found = await Promise.all(
      databases.map((database) =>
        ctx.api().get<ListResponse<MigrationResponse>>(`/api/databases/${database.id}/migrations`),
      ),
    );
    if (found.every((list) => list.items.length > 0)) return found.flatMap((list) => list.items);
    if (performance.now() - startedAt > WAIT_MAX_MS)
      throw new CliError('The starter is not deployed yet.', {
        next: `check rowhouse migrations list -p ${id} in a few minutes`,
      });
    ctx.output.progress('Planning the starter');
    await pause(CHECK_INTERVAL_MS, undefined, { signal: ctx.environment.stopped }).catch(() => undefined);
  }
  return [];
}
