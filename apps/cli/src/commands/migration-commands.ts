import type {
  SoftDeletedResponse,
  ListResponse,
  MigrationResponse,
  MigrationPlan,
  MigrationStepResponse,
} from '@rowhouse/contracts';
import type { Command } from '../command.js';
import type { Context } from '../context.js';
import { download, toPath } from '../files/write-files.js';
import { showPlan } from '../schema/show-plan.js';
import { watchMigrations } from '../schema/watch-migrations.js';
import { makeListCommand, ofDatabase, ofProject } from '../list-command.js';

const LOSS = {
  'accept-loss': { type: 'boolean', about: 'continue even if rows, columns or tables are lost' },
  confirm: {
    type: 'string',
    multiple: true,
    value: 'HASH',
    about: 'confirm the plan with this hash; repeatable',
  },
} as const;

function pathOf(ctx: Context): string {
  return `/api/migrations/${encodeURIComponent(ctx.args[0] ?? '')}`;
}

function consent(ctx: Context): Record<string, unknown> {
  const confirm = ctx.texts('confirm');
  return {
    ...(ctx.is('accept-loss') ? { accept_loss: true } : {}),
    ...(confirm.length === 0 ? {} : { confirm }),
  };
}

const list = makeListCommand<MigrationResponse>({
  name: 'migrations list',
  about: 'List recent migrations of a project, or of one database with -d',
  options: { limit: { type: 'string', value: 'N', about: 'the maximum number; default: 20' } },
  examples: ['rowhouse migrations list', 'rowhouse migrations list -d production --limit 50'],
  path: (ctx) =>
    (ctx.text('database') === undefined ? ofProject : ofDatabase)(
      `migrations?limit=${ctx.count('limit') ?? 20}`,
    )(ctx),
  columns: {
    database: (migration) => migration.environment,
    state: (migration) => migration.state,
    kind: (migration) => migration.origin,
    steps: (migration) => migration.plan.steps.length,
    'duration ms': (migration) => migration.duration_ms,
    by: (migration) => migration.by?.name,
    started: (migration) => migration.created_at,
    id: (migration) => migration.id,
  },
});

const show: Command = {
  name: 'migrations show',
  about: 'Show a migration with its steps',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse migrations show mig_…'],
  run: async (ctx) => {
    const [migration, { items: steps }] = await Promise.all([
      ctx.api().get<MigrationResponse>(pathOf(ctx)),
      ctx.api().get<ListResponse<MigrationStepResponse>>(`${pathOf(ctx)}/steps`),
    ]);
    ctx.output.result({ ...migration, steps }, () => {
      ctx.output.line(
        `${migration.id} of ${migration.environment}: ${migration.state}, ${migration.origin}, version ${migration.base_snapshot} to ${migration.published_snapshot ?? '…'}`,
      );
      if (migration.error !== null)
        ctx.output.warn(
          [migration.error.detail, migration.error.hint].filter((item) => item !== undefined).join(' '),
        );
      ctx.output.table(
        ['step', 'state', 'method', 'duration ms', 'statement'],
        steps.map((step) => [step.ordinal, step.state, step.strategy, step.duration_ms, step.statement]),
      );
    });
  },
};

const watch: Command = {
  name: 'migrations watch',
  about: 'Show the progress of a migration until it ends',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse migrations watch mig_…'],
  run: async (ctx) => {
    const [migration] = await watchMigrations(ctx, [{ id: ctx.args[0] ?? '' }]);
    ctx.output.result(migration, () =>
      ctx.output.done(`${migration?.environment ?? ''}: ${migration?.state ?? ''}.`),
    );
  },
};

const cancel: Command = {
  name: 'migrations cancel',
  about: 'Cancel a migration',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse migrations cancel mig_…'],
  run: async (ctx) => {
    const migration = await ctx.api().post<MigrationResponse>(`${pathOf(ctx)}/cancel`);
    ctx.output.result(migration, () =>
      ctx.output.done(
        `Cancellation requested. Current state: ${migration.state}. Next: rowhouse migrations watch ${migration.id}`,
      ),
    );
  },
};

const retry: Command = {
  name: 'migrations retry',
  about: 'Plan and run a failed or canceled migration again',
  args: 'ID',
  argsMin: 1,
  options: LOSS,
  examples: ['rowhouse migrations retry mig_…'],
  run: async (ctx) => {
    const [migration] = await watchMigrations(ctx, [
      await ctx.api().post<MigrationResponse>(`${pathOf(ctx)}/retry`, consent(ctx)),
    ]);
    ctx.output.result(migration, () =>
      ctx.output.done(`${migration?.environment ?? ''}: ${migration?.state ?? ''}.`),
    );
  },
};

const revert: Command = {
  name: 'migrations revert',
  about: 'Undo the latest migration of a database with a new migration',
  args: 'ID',
  argsMin: 1,
  options: { ...LOSS, preview: { type: 'boolean', about: 'only show the plan' } },
  examples: ['rowhouse migrations revert mig_… --preview', 'rowhouse migrations revert mig_…'],
  run: async (ctx) => {
    const plan = await ctx.api().get<MigrationPlan>(`${pathOf(ctx)}/revert`);
    if (ctx.is('preview')) return ctx.output.result(plan, () => showPlan(ctx, plan));
    showPlan(ctx, plan);
    if (!ctx.is('accept-loss')) await ctx.confirm('Revert this migration?');
    const created = await ctx.api().post<MigrationResponse>(`${pathOf(ctx)}/revert`, {
      ...consent(ctx),
      confirm: [plan.hash, ...ctx.texts('confirm')],
    });
    const [migration] = await watchMigrations(ctx, [created]);
    ctx.output.result(migration, () =>
      ctx.output.done(`Reverted the migration in ${migration?.environment ?? ''}.`),
    );
  },
};

const retained = makeListCommand<SoftDeletedResponse>({
  name: 'migrations kept',
  about: 'List dropped tables and columns that can still be restored',
  examples: ['rowhouse migrations kept'],
  path: ofDatabase('kept'),
  columns: {
    object: (dropped) => (dropped.column === null ? dropped.table : `${dropped.table}.${dropped.column}`),
    until: (dropped) => dropped.expires_at,
    migration: (dropped) => dropped.migration,
  },
});

const purge: Command = {
  name: 'migrations purge',
  about: 'Permanently delete the dropped tables and columns of a migration',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse migrations purge mig_… --yes'],
  run: async (ctx) => {
    await ctx.confirm("Permanently delete this data? This can't be undone.");
    await ctx.api().post(`${pathOf(ctx)}/purge`);
    ctx.output.result({ id: ctx.args[0] }, () => ctx.output.done('Permanently deleted.'));
  },
};

const exportAll: Command = {
  name: 'migrations export',
  about: 'Export the migrations of a database as SQL files in a tar archive',
  args: 'FILE',
  argsMin: 1,
  examples: ['rowhouse migrations export history.tar -d production'],
  run: async (ctx) => {
    const path = toPath(ctx, ctx.args[0] ?? '');
    await download(ctx, `/api/databases/${(await ctx.database()).id}/migrations/export`, path);
    ctx.output.result({ file: path }, () => ctx.output.done(`Saved to ${path}.`));
  },
};

export const migrationCommands: readonly Command[] = [
  list,
  show,
  watch,
  cancel,
  retry,
  revert,
  retained,
  purge,
  exportAll,
];
