import type { DriftResponse, WorkingSchemaResponse } from '@rowhouse/contracts';
import { EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { deploySchema } from '../schema/deploy-schema.js';
import { promoteSchema } from '../schema/promote-schema.js';
import { watchMigrations } from '../schema/watch-migrations.js';
import { watchSchema } from '../schema/watch-schema.js';
import { readSql } from './schema-commands.js';

const LOSS = {
  'accept-loss': { type: 'boolean', about: 'continue even if rows, columns or tables are lost' },
} as const;

const deploy: Command = {
  name: 'schema deploy',
  about: 'Deploy the working schema, or FILE as the new working schema, to a database',
  args: '[FILE]',
  argsMax: 1,
  options: { ...LOSS, 'no-wait': { type: 'boolean', about: 'do not wait until the deploy is complete' } },
  examples: [
    'rowhouse schema deploy',
    'rowhouse schema deploy schema.sql -d production',
    'rowhouse schema deploy --accept-loss --json',
  ],
  run: async (ctx) => {
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    if (ctx.args[0] !== undefined)
      await ctx.api().put<WorkingSchemaResponse>(`/api/projects/${project.id}/schema`, {
        sql: await readSql(ctx, ctx.args[0]),
        mode: 'replace',
      });
    const deployed = await deploySchema(ctx, project, database, {
      isLossAccepted: ctx.is('accept-loss'),
      isWaiting: !ctx.is('no-wait'),
    });
    ctx.output.result(deployed, () => {
      for (const note of deployed.notes) ctx.output.warn(note);
      ctx.output.done(
        deployed.migrations.length === 0
          ? `${database.environment} is up to date.`
          : ctx.is('no-wait')
            ? `Deploy started. Next: rowhouse migrations watch ${deployed.migrations[0]?.id ?? ''}`
            : `Deployed revision ${deployed.revision} to ${database.environment}.`,
      );
    });
  },
};

const watch: Command = {
  name: 'schema watch',
  about: 'Deploy the schema file to development after each change, without generating code',
  options: { ...LOSS, once: { type: 'boolean', about: 'synchronize once and exit' } },
  examples: ['rowhouse schema watch'],
  run: (ctx) => watchSchema(ctx, { isCoding: false }),
};

const promote: Command = {
  name: 'promote',
  about: 'Deploy the schema of one database to another',
  options: {
    ...LOSS,
    from: { type: 'string', value: 'ENV', about: 'the source; default: development' },
    to: { type: 'string', value: 'ENV', about: 'the target; default: production' },
    confirm: {
      type: 'string',
      multiple: true,
      value: 'HASH',
      about: 'confirm the plan with this hash; repeatable',
    },
  },
  examples: ['rowhouse promote', 'rowhouse promote --from staging --to production'],
  run: async (ctx) => {
    const project = await ctx.project();
    const [from, to, confirm] = [ctx.text('from'), ctx.text('to'), ctx.texts('confirm')];
    const answer = await promoteSchema(ctx, project, {
      ...(from === undefined ? {} : { from }),
      ...(to === undefined ? {} : { to }),
      ...(ctx.is('accept-loss') ? { accept_loss: true } : {}),
      ...(confirm.length === 0 ? {} : { confirm }),
    });
    const migrations = await watchMigrations(ctx, answer.migrations);
    ctx.output.result({ ...answer, migrations }, () => {
      for (const note of answer.notes) ctx.output.warn(note);
      ctx.output.done(
        migrations.length === 0
          ? `${to ?? 'production'} is up to date.`
          : `Deployed revision ${answer.revision} to ${to ?? 'production'}.`,
      );
    });
  },
};

const HOW = { only_here: 'exists only here', missing_here: 'is missing', other: 'differs' } as const;

const drift: Command = {
  name: 'drift',
  about: 'Compare deployed schemas with the working schema and with each other',
  options: {
    'exit-code': {
      type: 'boolean',
      about: `exit with ${EXIT.differs} if something was changed over a direct connection`,
    },
  },
  examples: ['rowhouse drift', 'rowhouse drift --exit-code'],
  run: async (ctx) => {
    const answer = await ctx.api().get<DriftResponse>(`/api/projects/${(await ctx.project()).id}/drift`);
    ctx.output.result(answer, () =>
      ctx.output.table(
        ['database', 'snapshot', 'revision', 'changed directly', 'differs'],
        answer.databases.map((item) => [
          item.environment,
          item.snapshot,
          item.revision,
          item.direct.join(', '),
          item.differs.map(({ object, how }) => `${object} ${HOW[how]}`).join(', '),
        ]),
      ),
    );
    return ctx.is('exit-code') && answer.databases.some((item) => item.direct.length > 0)
      ? EXIT.differs
      : EXIT.ok;
  },
};

export const deployCommands: readonly Command[] = [deploy, watch, promote, drift];
