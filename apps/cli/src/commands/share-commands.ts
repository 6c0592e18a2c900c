import type {
  CreatedShareResponse,
  LoadResponse,
  MigrationResponse,
  ProjectResponse,
  ShareResponse,
  SharePreviewResponse,
} from '@rowhouse/contracts';
import type { Command } from '../command.js';
import { watchMigrations } from '../schema/watch-migrations.js';
import { followLoad } from './transfer-commands.js';
import { makeDeleteCommand } from '../delete-command.js';
import { makeListCommand, ofProject } from '../list-command.js';

const share: Command = {
  name: 'share create',
  about: 'Create a link that lets others copy the project; it is shown once',
  options: {
    data: { type: 'boolean', about: 'include the rows of --database; requires the owner role' },
    name: { type: 'string', value: 'NAME', about: 'the name of the link' },
    table: {
      type: 'string',
      multiple: true,
      value: 'TABLE',
      about: 'with --data: only include rows of this table; repeatable',
    },
    expires: { type: 'string', value: 'TIME', about: 'the expiry time in ISO 8601' },
  },
  examples: ['rowhouse share create', 'rowhouse share create --data --table posts -d development'],
  run: async (ctx) => {
    const project = await ctx.project();
    const [name, expires, tables] = [ctx.text('name'), ctx.text('expires'), ctx.texts('table')];
    const created = await ctx.api().post<CreatedShareResponse>(`/api/projects/${project.id}/share`, {
      ...(name === undefined ? {} : { name }),
      ...(expires === undefined ? {} : { expires_at: expires }),
      ...(ctx.is('data') ? { data: true, database: ctx.databaseOf(project).id } : {}),
      ...(tables.length === 0 ? {} : { tables }),
    });
    ctx.output.result(created, () => {
      ctx.output.line(created.url);
      ctx.output.note(
        `Copy this link now. You won't be able to see it again. To create a project from it: rowhouse clone ${created.token}`,
      );
    });
  },
};

const list = makeListCommand<ShareResponse>({
  name: 'share list',
  about: 'List the share links of a project',
  examples: ['rowhouse share list'],
  path: ofProject('shares'),
  columns: {
    name: (link) => link.name,
    state: (link) => link.state,
    'with data': (link) => link.data,
    clones: (link) => link.clones,
    created: (link) => link.created_at,
    expires: (link) => link.expires_at ?? 'never',
    revoked: (link) => link.revoked_at,
    id: (link) => link.id,
  },
});

const revoke = makeDeleteCommand({
  name: 'share revoke',
  about: 'Revoke a share link; existing copies are kept',
  examples: ['rowhouse share revoke shr_…'],
  path: ofProject('shares'),
  done: 'Share link revoked.',
});

const clone: Command = {
  name: 'clone',
  about: 'Create a project from a share link',
  args: 'TOKEN|URL',
  argsMin: 1,
  options: {
    name: {
      type: 'string',
      value: 'NAME',
      about: 'the name of the project; default: the name of the shared project',
    },
    'schema-only': { type: 'boolean', about: 'omit the rows' },
    preview: { type: 'boolean', about: 'only show the contents' },
  },
  examples: [
    'rowhouse clone https://rowhouse.example.com/clone/… --name mine',
    'rowhouse clone TOKEN --preview',
  ],
  run: async (ctx) => {
    const path = `/api/clone/${encodeURIComponent((ctx.args[0] ?? '').split('/').at(-1) ?? '')}`;
    if (ctx.is('preview')) {
      const preview = await ctx.api().get<SharePreviewResponse>(path);
      return ctx.output.result(preview, () =>
        ctx.output.table(
          ['table', 'rows'],
          preview.tables.map((item) => [item.name, item.rows]),
        ),
      );
    }
    const name = ctx.text('name');
    const created = await ctx
      .api()
      .post<ProjectResponse & { migrations: MigrationResponse[]; load: LoadResponse | null }>(path, {
        ...(name === undefined ? {} : { name }),
        ...(ctx.is('schema-only') ? { data: false } : {}),
      });
    await watchMigrations(ctx, created.migrations);
    if (created.load !== null) await followLoad(ctx, created.load);
    ctx.output.result(created, () =>
      ctx.output.done(
        `Created ${created.name} (${created.id}). Next: rowhouse projects show --project ${created.id}`,
      ),
    );
  },
};

export const shareCommands: readonly Command[] = [share, list, revoke, clone];
