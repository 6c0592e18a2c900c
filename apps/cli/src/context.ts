import type { DatabaseAnswer, ProjectAnswer } from '@rowhouse/contracts';
import { ControlApi } from './api/control-api.js';
import { CliError, EXIT } from './cli-error.js';
import { readProjectFile, type ProjectFile } from './config/project-file.js';
import { readUserConfig } from './config/user-config.js';
import type { Output } from './output/output.js';
import { toPrintable } from './output/to-printable.js';
import type { World } from './world.js';

export const DEFAULT_URL = 'http://127.0.0.1:4000';

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** What a command has to work with: its words and options, the control plane, the project it is about. */
export class Context {
  constructor(
    readonly world: World,
    readonly output: Output,
    readonly args: readonly string[],
    private readonly values: Values,
  ) {}

  text(name: string): string | undefined {
    const value = this.values[name];
    return typeof value === 'string' ? value : undefined;
  }

  texts(name: string): string[] {
    const value = this.values[name];
    return Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : [];
  }

  is(name: string): boolean {
    return this.values[name] === true;
  }

  projectFile(): ProjectFile {
    return readProjectFile(this.world);
  }

  url(): string {
    const { env } = this.world;
    return (this.text('url') ?? env['ROWHOUSE_URL'] ?? this.projectFile().url ?? readUserConfig(this.world).current ?? DEFAULT_URL).replace(/\/+$/, '');
  }

  /** The control plane with the token at hand. */
  api(): ControlApi {
    const url = this.url();
    const token = this.world.env['ROWHOUSE_TOKEN'] ?? readUserConfig(this.world).servers[url]?.token;
    if (token === undefined) throw new CliError(`You are not signed in at ${url}.`, { exitCode: EXIT.signedOut, next: 'rowhouse login, or set ROWHOUSE_TOKEN to a personal access token' });
    return new ControlApi(this.world, url, token);
  }

  /** By option, environment, `rowhouse.json`, or the only one there is. */
  async project(): Promise<ProjectAnswer> {
    const wanted = this.text('project') ?? this.world.env['ROWHOUSE_PROJECT'] ?? this.projectFile().project;
    const { items } = await this.api().get<{ items: ProjectAnswer[] }>('/api/projects');
    if (wanted === undefined) return onlyOf(items);
    const found = items.filter((project) => project.id === wanted || project.name === wanted);
    const [first] = found;
    if (first === undefined) throw new CliError(`There is no project ${wanted}.`, { next: items.length === 0 ? 'rowhouse projects create NAME' : `choose one of: ${items.map((project) => project.name).join(', ')}` });
    if (found.length > 1) throw new CliError(`Several projects are called ${wanted}.`, { exitCode: EXIT.usage, next: `name one by its id: ${found.map((project) => project.id).join(', ')}` });
    return first;
  }

  async database(): Promise<DatabaseAnswer> {
    return this.databaseOf(await this.project());
  }

  databaseOf(project: ProjectAnswer): DatabaseAnswer {
    const wanted = this.text('database') ?? this.world.env['ROWHOUSE_DATABASE'] ?? this.projectFile().database ?? 'development';
    const found = project.databases.find((database) => database.id === wanted || database.environment === wanted);
    if (found !== undefined) return found;
    throw new CliError(`${project.name} has no database ${wanted}.`, { next: `choose one of: ${project.databases.map((database) => database.environment).join(', ')}` });
  }

  /** Asks for a yes; `--yes` says it beforehand, and where nobody can be asked the answer is no. */
  async confirm(question: string, flag = '--yes'): Promise<void> {
    if (this.is('yes')) return;
    if (!this.world.isInteractive) throw new CliError(`${question} Nobody is here to answer.`, { exitCode: EXIT.usage, next: `say so beforehand with ${flag}` });
    const answer = await this.world.ask(`${toPrintable(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Nothing was done.', { next: 'answer y to go on' });
  }
}

function onlyOf(items: readonly ProjectAnswer[]): ProjectAnswer {
  const [first] = items;
  if (first === undefined) throw new CliError('You have no project yet.', { next: 'rowhouse projects create NAME' });
  if (items.length === 1) return first;
  throw new CliError('Which project?', { exitCode: EXIT.usage, next: `--project with one of: ${items.map((project) => project.name).join(', ')}; or rowhouse init in this folder` });
}
