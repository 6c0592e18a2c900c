import { setTimeout as pause } from 'node:timers/promises';
import type { MigrationResponse } from '@rowhouse/contracts';
import { CliError } from '../cli-error.js';
import type { Context } from '../context.js';

const ENDED: readonly MigrationResponse['state'][] = [
  'published',
  'reverted',
  'failed',
  'cancelled',
  'needs_attention',
];
/** The delay before an interrupted stream is opened again. */
const REOPEN_MS = 250;

/** Shows the progress of migrations until each has ended. Throws when one did not succeed. */
export async function watchMigrations(
  ctx: Context,
  migrations: readonly Pick<MigrationResponse, 'id'>[],
): Promise<MigrationResponse[]> {
  const ended: MigrationResponse[] = [];
  for (const { id } of migrations) {
    const last = await watchOne(ctx, id);
    if (last.state !== 'published' && last.state !== 'reverted') throw toFailure(last);
    ended.push(last);
  }
  return ended;
}

/** Opens an interrupted stream again, since the migration continues without it. */
async function watchOne(ctx: Context, id: string): Promise<MigrationResponse> {
  const api = ctx.api();
  for (;;) {
    for await (const { event, data } of api.events(`/api/migrations/${encodeURIComponent(id)}/events`)) {
      if (event === 'migration') ctx.output.progress(toLine(data as MigrationResponse));
      if (event === 'end') break;
    }
    const now = await api.get<MigrationResponse>(`/api/migrations/${encodeURIComponent(id)}`);
    if (ENDED.includes(now.state)) {
      ctx.output.endProgress();
      return now;
    }
    await pause(REOPEN_MS, undefined, { signal: ctx.environment.stopped }).catch(() => undefined);
  }
}

function toLine(migration: MigrationResponse): string {
  const rows =
    migration.rows_total === null || migration.rows_done === null
      ? ''
      : `, ${migration.rows_done} of ${migration.rows_total} rows`;
  const rest = migration.eta_seconds === null ? '' : `, about ${migration.eta_seconds} s left`;
  const share = Math.max(
    0,
    Math.min(1, migration.progress > 1 ? migration.progress / 100 : migration.progress),
  );
  return `${migration.environment}  ${'█'.repeat(Math.round(share * 20)).padEnd(20, '░')} ${Math.round(share * 100)}%  ${migration.state}${rows}${rest}`;
}

function toFailure(migration: MigrationResponse): CliError {
  const { error } = migration;
  const hint = error?.hint === undefined ? '' : `${error.hint} `;
  return new CliError(
    `The migration of ${migration.environment} ended with state ${migration.state}${error === null ? '' : `: ${error.detail}`}`,
    {
      next: `${hint}see rowhouse migrations show ${migration.id}; after fixing the problem, run rowhouse migrations retry ${migration.id}`,
      body: { code: error?.code ?? `migration.${migration.state}`, migration },
    },
  );
}
