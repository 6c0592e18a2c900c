import type { CreatedShareAnswer, ListAnswer, LoadAnswer, MigrationAnswer, ProjectAnswer, ShareAnswer, SharePreviewAnswer } from '@rowhouse/contracts';
import type { Command } from '../command.js';
import { watchMigrations } from '../watch-migrations.js';
import { followLoad } from './transfer-commands.js';

const share: Command = {
  name: 'share create',
  about: 'A link from which others make a project of their own; shown once',
  options: {
    data: { type: 'boolean', about: 'rows go along, those of --database; needs the role owner' },
    name: { type: 'string', value: 'NAME', about: 'what the link is called' },
    table: { type: 'string', multiple: true, value: 'TABLE', about: 'with --data: rows of this table alone; again for more' },
    expires: { type: 'string', value: 'TIME', about: 'when it ends, ISO 8601' },
  },
  examples: ['rowhouse share create', 'rowhouse share create --data --table posts -d development'],
  run: async (ctx) => {
    const project = await ctx.project();
    const [name, expires, tables] = [ctx.text('name'), ctx.text('expires'), ctx.texts('table')];
    const made = await ctx.api().post<CreatedShareAnswer>(`/api/projects/${project.id}/share`, {
      ...(name === undefined ? {} : { name }), ...(expires === undefined ? {} : { expires_at: expires }), ...(ctx.is('data') ? { data: true, database: ctx.databaseOf(project).id } : {}), ...(tables.length === 0 ? {} : { tables }),
    });
    ctx.output.result(made, () => {
      ctx.output.line(made.url);
      ctx.output.note(`Keep it: it is not shown again. rowhouse clone ${made.token} makes a project of it.`);
    });
  },
};

const list: Command = {
  name: 'share list',
  about: 'The share links of a project',
  examples: ['rowhouse share list'],
  run: async (ctx) => {
    const { items } = await ctx.api().get<ListAnswer<ShareAnswer>>(`/api/projects/${(await ctx.project()).id}/shares`);
    ctx.output.result(items, () => ctx.output.table(['name', 'state', 'rows too', 'clones', 'made', 'expires', 'revoked', 'id'], items.map((one) => [one.name, one.state, one.data, one.clones, one.created_at, one.expires_at ?? 'never', one.revoked_at, one.id])));
  },
};

const revoke: Command = {
  name: 'share revoke',
  about: 'End a share link at once; what was cloned stays',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse share revoke shr_…'],
  run: async (ctx) => {
    await ctx.api().delete(`/api/projects/${(await ctx.project()).id}/shares/${encodeURIComponent(ctx.args[0] ?? '')}`);
    ctx.output.result({ id: ctx.args[0] }, () => ctx.output.done('Revoked.'));
  },
};

const clone: Command = {
  name: 'clone',
  about: 'A project of your own out of a share link',
  args: 'TOKEN|URL',
  argsMin: 1,
  options: { name: { type: 'string', value: 'NAME', about: 'what the project is called; as the shared one unless said' }, 'schema-only': { type: 'boolean', about: 'without rows, though the link has some' }, preview: { type: 'boolean', about: 'only show what it holds' } },
  examples: ['rowhouse clone https://rowhouse.example.com/clone/… --name mine', 'rowhouse clone TOKEN --preview'],
  run: async (ctx) => {
    const path = `/api/clone/${encodeURIComponent((ctx.args[0] ?? '').split('/').at(-1) ?? '')}`;
    if (ctx.is('preview')) {
      const preview = await ctx.api().get<SharePreviewAnswer>(path);
      return ctx.output.result(preview, () => ctx.output.table(['table', 'rows'], preview.tables.map((one) => [one.name, one.rows])));
    }
    const name = ctx.text('name');
    const made = await ctx.api().post<ProjectAnswer & { migrations: MigrationAnswer[]; load: LoadAnswer | null }>(path, { ...(name === undefined ? {} : { name }), ...(ctx.is('schema-only') ? { data: false } : {}) });
    await watchMigrations(ctx, made.migrations);
    if (made.load !== null) await followLoad(ctx, made.load);
    ctx.output.result(made, () => ctx.output.done(`${made.name} is yours (${made.id}). Next: rowhouse projects show --project ${made.id}`));
  },
};

export const shareCommands: readonly Command[] = [share, list, revoke, clone];
