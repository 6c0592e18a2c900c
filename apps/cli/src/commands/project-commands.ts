import type { ProjectAnswer, SessionAnswer } from '@rowhouse/contracts';
import { CliError, EXIT } from '../cli-error.js';
import type { Command } from '../command.js';
import { ENGINE_OPTION } from './database-commands.js';
import { waitForStarter, type NewProject } from '../wait-for-starter.js';
import { watchMigrations } from '../watch-migrations.js';
import { makeListCommand } from '../list-command.js';

const list = makeListCommand<ProjectAnswer>({
  name: 'projects list',
  about: 'Your projects',
  examples: ['rowhouse projects list', 'rowhouse projects list --json'],
  path: () => '/api/projects',
  columns: {
    project: (project) => project.name, databases: (project) => project.databases.map((database) => database.environment).join(', '),
    made: (project) => project.created_at, id: (project) => project.id,
  },
  whenEmpty: 'rowhouse projects create NAME makes one.',
});

const show: Command = {
  name: 'projects show',
  about: 'One project with its databases and their addresses',
  examples: ['rowhouse projects show --project blog'],
  run: async (ctx) => {
    const project = await ctx.project();
    ctx.output.result(project, () => {
      ctx.output.line(`${project.name} (${project.id})`);
      ctx.output.table(['database', 'state', 'snapshot', 'base address', 'id'], project.databases.map((one) => [one.environment, one.state, one.snapshot_number, one.base_url, one.id]));
    });
  },
};

const create: Command = {
  name: 'projects create',
  about: 'A project with a development and a production database',
  args: 'NAME',
  argsMin: 1,
  options: {
    starter: { type: 'string', value: 'blog|shop|empty', about: 'the schema to begin with; empty unless said' },
    engine: ENGINE_OPTION,
    organization: { type: 'string', value: 'ID|NAME', about: 'who owns it; needed where you are in several' },
  },
  examples: ['rowhouse projects create shop --starter shop', 'rowhouse projects create notes'],
  run: async (ctx) => {
    const wanted = ctx.text('organization');
    const api = ctx.api();
    const { organizations } = await api.get<SessionAnswer>('/api/me');
    const found = organizations.filter((one) => wanted === undefined || one.id === wanted || one.name === wanted);
    if (found.length !== 1) throw new CliError(wanted === undefined ? 'You are in several organizations.' : `There is no organization ${wanted}.`, { exitCode: EXIT.usage, next: `--organization with one of: ${organizations.map((one) => one.name).join(', ')}` });
    const starter = ctx.text('starter') ?? 'empty';
    const project = await api.post<NewProject>('/api/projects', { name: ctx.args[0], organization_id: found[0]?.id, starter, engine: ctx.text('engine') });
    await watchMigrations(ctx, await waitForStarter(ctx, project, starter !== 'empty'));
    ctx.output.result(project, () => ctx.output.done(`${project.name} is there (${project.id}). Next: rowhouse init --project ${project.id}`));
  },
};

const rename: Command = {
  name: 'projects rename',
  about: 'Give a project another name',
  args: 'NAME',
  argsMin: 1,
  examples: ['rowhouse projects rename journal --project blog'],
  run: async (ctx) => {
    const project = await ctx.api().patch<ProjectAnswer>(`/api/projects/${(await ctx.project()).id}`, { name: ctx.args[0] });
    ctx.output.result(project, () => ctx.output.done(`It is called ${project.name} now.`));
  },
};

const remove: Command = {
  name: 'projects delete',
  about: 'Delete a project; it can be restored for seven days',
  examples: ['rowhouse projects delete --project blog', 'rowhouse projects delete --project blog --yes'],
  run: async (ctx) => {
    const project = await ctx.project();
    await ctx.confirm(`Delete ${project.name} with ${project.databases.length} databases? Its keys and connections end at once.`);
    await ctx.api().delete(`/api/projects/${project.id}`, { confirm: project.name });
    ctx.output.result({ id: project.id }, () => ctx.output.done(`Deleted. Within seven days: rowhouse projects restore ${project.id}`));
  },
};

const restore: Command = {
  name: 'projects restore',
  about: 'Bring a deleted project back',
  args: 'ID',
  argsMin: 1,
  examples: ['rowhouse projects restore prj_…'],
  run: async (ctx) => {
    const project = await ctx.api().post<ProjectAnswer>(`/api/projects/${encodeURIComponent(ctx.args[0] ?? '')}/restore`);
    ctx.output.result(project, () => ctx.output.done(`${project.name} is back.`));
  },
};

export const projectCommands: readonly Command[] = [list, show, create, rename, remove, restore];
