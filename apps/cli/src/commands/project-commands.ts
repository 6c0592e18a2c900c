import type { ProjectResponse, SessionResponse } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { ENGINE_OPTION } from './database-commands.js';
import { waitForStarter, type NewProject } from '../schema/wait-for-starter.js';
import { watchMigrations } from '../schema/watch-migrations.js';
import { makeListCommand } from '../list-command.js';

const list = makeListCommand<ProjectResponse>({
  name: 'projects list',
  about: 'List your projects',
  examples: ['rowhouse projects list', 'rowhouse projects list --json'],
  path: () => '/api/projects',
  columns: {
    project: (project) => project.name,
    databases: (project) => project.databases.map((database) => database.environment).join(', '),
    created: (project) => project.created_at,
    id: (project) => project.id,
  },
  whenEmpty: 'Create a project with: rowhouse projects create NAME',
});

const show: Command = {
  name: 'projects show',
  about: 'Show a project with its databases',
  examples: ['rowhouse projects show --project blog'],
  run: async (ctx) => {
    const project = await ctx.project();
    ctx.output.result(project, () => {
      ctx.output.line(`${project.name} (${project.id})`);
      ctx.output.table(
        ['database', 'state', 'snapshot', 'base URL', 'id'],
        project.databases.map((database) => [
          database.environment,
          database.state,
          database.snapshot_number,
          database.base_url,
          database.id,
        ]),
      );
    });
  },
};

const create: Command = {
  name: 'projects create',
  about: 'Create a project with a development and a production database',
  args: 'NAME',
  argsMin: 1,
  options: {
    starter: { type: 'string', value: 'blog|shop|empty', about: 'the initial schema; default: empty' },
    engine: ENGINE_OPTION,
    organization: {
      type: 'string',
      value: 'ID|NAME',
      about: 'the owner; required if you belong to several organizations',
    },
  },
  examples: ['rowhouse projects create shop --starter shop', 'rowhouse projects create notes'],
  run: async (ctx) => {
    const requested = ctx.text('organization');
    const api = ctx.api();
    const { organizations } = await api.get<SessionResponse>('/api/me');
    const found = organizations.filter(
      (organization) =>
        requested === undefined || organization.id === requested || organization.name === requested,
    );
    if (found.length !== 1)
      throw new CliError(
        requested === undefined
          ? 'You belong to several organizations.'
          : `Unknown organization ${requested}.`,
        {
          exitCode: EXIT.usage,
          next: `set --organization to one of: ${organizations.map((organization) => organization.name).join(', ')}`,
        },
      );
    const starter = ctx.text('starter') ?? 'empty';
    const project = await api.post<NewProject>('/api/projects', {
      name: ctx.args[0],
      organization_id: found[0]?.id,
      starter,
      engine: ctx.text('engine'),
    });
    await watchMigrations(ctx, await waitForStarter(ctx, project, starter !== 'empty'));
    ctx.output.result(project, () =>
      ctx.output.done(`Created ${project.name} (${project.id}). Next: rowhouse init --project ${project.id}`),
    );
  },
};

const rename: Command = {
  name: 'projects rename',
  about: 'Rename a project',
  args: 'NAME',
  argsMin: 1,
  examples: ['rowhouse projects rename journal --project blog'],
  run: async (ctx) => {
    const project = await ctx
      .api()
      .patch<ProjectResponse>(`/api/projects/${(await ctx.project()).id}`, { name: ctx.args[0] });
    ctx.output.result(project, () => ctx.output.done(`Renamed the project to ${project.name}.`));
  },
};

const remove: Command = {
  name: 'projects delete',
  about: 'Delete a project; you can restore it for 7 days',
  examples: ['rowhouse projects delete --project blog', 'rowhouse projects delete --project blog --yes'],
  run: async (ctx) => {
    const project = await ctx.project();
    await ctx.confirm(
      `Delete ${project.name} and its databases (${project.databases.length})? Its API keys and connections stop working immediately.`,
    );
    await ctx.api().delete(`/api/projects/${project.id}`, { confirm: project.name });
    ctx.output.result({ id: project.id }, () =>
      ctx.output.done(
        `${project.name} deleted. You can restore it for 7 days: rowhouse projects restore ${project.id}`,
      ),
    );
  },
};

const restore: Command = {
  name: 'projects restore',
  about: 'Restore a deleted project',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse projects restore prj_…'],
  run: async (ctx) => {
    const project = await ctx
      .api()
      .post<ProjectResponse>(`/api/projects/${encodeURIComponent(ctx.args[0] ?? '')}/restore`);
    ctx.output.result(project, () => ctx.output.done(`${project.name} restored.`));
  },
};

export const projectCommands: readonly Command[] = [list, show, create, rename, remove, restore];
