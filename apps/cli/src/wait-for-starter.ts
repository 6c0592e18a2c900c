import { setTimeout as pause } from 'node:timers/promises';
import type { ListAnswer, MigrationAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { CliError } from './cli-error.js';
import type { Context } from './context.js';
import { waitUntilReady } from './wait-until-ready.js';

const LOOK_INTERVAL_MS = 250;
const WAIT_MAX_MS = 300_000;

/** `migrations`: there when the answer came before the starter was live; empty when it came before it was planned. */
export type NewProject = ProjectAnswer & { readonly migrations?: readonly MigrationAnswer[] };

/** The migrations of a new project's starter, which may be planned behind the answer; none where there is no starter. */
export async function waitForStarter(ctx: Context, { migrations, databases, id }: NewProject, hasStarter: boolean): Promise<readonly MigrationAnswer[]> {
  if (migrations === undefined || migrations.length > 0) return migrations ?? [];
  for (const database of databases) await waitUntilReady(ctx, database);
  const startedAt = performance.now();
  while (hasStarter) {
    const found = await Promise.all(databases.map((database) => ctx.api().get<ListAnswer<MigrationAnswer>>(`/api/databases/${database.id}/migrations`)));
    if (found.every((list) => list.items.length > 0)) return found.flatMap((list) => list.items);
    if (performance.now() - startedAt > WAIT_MAX_MS) throw new CliError('The starter is not deployed yet.', { next: `rowhouse migrations list -p ${id} in a while` });
    ctx.output.progress('Planning the starter');
    await pause(LOOK_INTERVAL_MS, undefined, { signal: ctx.world.stopped }).catch(() => undefined);
  }
  return [];
}
