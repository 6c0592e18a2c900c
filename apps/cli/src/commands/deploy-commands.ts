import type { DriftAnswer, WorkingSchemaAnswer } from '@rowhouse/contracts';
import { EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { deploySchema } from '../deploy-schema.js';
import { promoteSchema } from '../promote-schema.js';
import { watchMigrations } from '../watch-migrations.js';
import { watchSchema } from '../watch-schema.js';
import { readSql } from './schema-commands.js';

const LOSS = { 'accept-loss': { type: 'boolean', about: 'go on where rows, columns or tables are lost' } } as const;

const deploy: Command = {
  name: 'schema deploy',
  about: 'Deploy the working schema to a database and watch it; FILE becomes the working schema first',
  args: '[FILE]',
  argsMax: 1,
  options: { ...LOSS, 'no-wait': { type: 'boolean', about: 'do not wait for the end' } },
  examples: ['rowhouse schema deploy', 'rowhouse schema deploy schema.sql -d production', 'rowhouse schema deploy --accept-loss --json'],
  run: async (ctx) => {
    const project = await ctx.project();
    const database = ctx.databaseOf(project);
    if (ctx.args[0] !== undefined) await ctx.api().put<WorkingSchemaAnswer>(`/api/projects/${project.id}/schema`, { sql: await readSql(ctx, ctx.args[0]), mode: 'replace' });
    const deployed = await deploySchema(ctx, project, database, { isLossAccepted: ctx.is('accept-loss'), isWaiting: !ctx.is('no-wait') });
    ctx.output.result(deployed, () => {
      for (const note of deployed.notes) ctx.output.warn(note);
      ctx.output.done(deployed.migrations.length === 0 ? `${database.environment} is up to date.` : ctx.is('no-wait') ? `Under way: rowhouse migrations watch ${deployed.migrations[0]?.id ?? ''}` : `${database.environment} runs revision ${deployed.revision}.`);
    });
  },
};

const watch: Command = {
  name: 'schema watch',
  about: 'Deploy the schema file to development at each change; makes no code',
  options: { ...LOSS, once: { type: 'boolean', about: 'bring everything up to date and end' } },
  examples: ['rowhouse schema watch'],
  run: (ctx) => watchSchema(ctx, { isCoding: false }),
};

const promote: Command = {
  name: 'promote',
  about: 'Deploy to one database what another runs',
  options: { ...LOSS, from: { type: 'string', value: 'ENV', about: 'development unless said' }, to: { type: 'string', value: 'ENV', about: 'production unless said' }, confirm: { type: 'string', multiple: true, value: 'HASH', about: 'the hash of a plan that was shown' } },
  examples: ['rowhouse promote', 'rowhouse promote --from staging --to production'],
  run: async (ctx) => {
    const project = await ctx.project();
    const [from, to, confirm] = [ctx.text('from'), ctx.text('to'), ctx.texts('confirm')];
    const answer = await promoteSchema(ctx, project, { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }), ...(ctx.is('accept-loss') ? { accept_loss: true } : {}), ...(confirm.length === 0 ? {} : { confirm }) });
    const migrations = await watchMigrations(ctx, answer.migrations);
    ctx.output.result({ ...answer, migrations }, () => {
      for (const note of answer.notes) ctx.output.warn(note);
      ctx.output.done(migrations.length === 0 ? 'Nothing to do.' : `${to ?? 'production'} runs revision ${answer.revision}.`);
    });
  },
};

const HOW = { only_here: 'is only here', missing_here: 'is missing', other: 'differs' } as const;

const drift: Command = {
  name: 'drift',
  about: 'How deployed schemas differ from the working schema and from each other',
  options: { 'exit-code': { type: 'boolean', about: `end with ${EXIT.differs} where something was changed over a direct connection` } },
  examples: ['rowhouse drift', 'rowhouse drift --exit-code'],
  run: async (ctx) => {
    const answer = await ctx.api().get<DriftAnswer>(`/api/projects/${(await ctx.project()).id}/drift`);
    ctx.output.result(answer, () => ctx.output.table(['database', 'snapshot', 'revision', 'changed directly', 'differs'], answer.databases.map((one) => [
      one.environment, one.snapshot, one.revision, one.direct.join(', '), one.differs.map(({ object, how }) => `${object} ${HOW[how]}`).join(', '),
    ])));
    return ctx.is('exit-code') && answer.databases.some((one) => one.direct.length > 0) ? EXIT.differs : EXIT.ok;
  },
};

export const deployCommands: readonly Command[] = [deploy, watch, promote, drift];
