import type { DatabaseResponse, ProjectResponse } from '@rowhouse/contracts';
import { ControlApi } from './api/control-api.js';
import { CliError, EXIT } from './cli-error.js';
import { readProjectFile, type ProjectFile } from './config/project-file.js';
import { readUserConfig } from './config/user-config.js';
import type { Output } from './output/output.js';
import { toPrintable } from './output/output.js';
import type { CliEnvironment } from './cli-environment.js';

const DEFAULT_URL = 'http://127.0.0.1:4000';

/**
 * The address of the control plane, and where it comes from. The content of a folder may come from an author
 * who is not trusted.
 */
interface Address {
  readonly url: string;
  readonly source: 'person' | 'folder';
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

/** The context of a command: its arguments and options, the control plane and the project. */
export class Context {
  constructor(
    readonly environment: CliEnvironment,
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
    return Array.isArray(value) ? value.filter((item): item is string => typeof item === 'string') : [];
  }

  /** Returns a non-negative integer option, or undefined when it is absent. */
  count(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : readCount(text, `--${name}`);
  }

  is(name: string): boolean {
    return this.values[name] === true;
  }

  projectFile(): ProjectFile {
    return readProjectFile(this.environment);
  }

  url(): string {
    return this.#address().url;
  }

  /**
   * Returns a client with the current token. A stored token is used only for its own address. A token from
   * the environment is sent only to an address that the user has chosen.
   */
  api(): ControlApi {
    const url = this.url();
    const provided = this.environment.env['ROWHOUSE_TOKEN'];
    if (provided !== undefined) this.assertOwnAddress('ROWHOUSE_TOKEN is not sent there');
    const token = provided ?? readUserConfig(this.environment).servers[url]?.token;
    if (token === undefined)
      throw new CliError(`You're not signed in to ${url}.`, {
        exitCode: EXIT.signedOut,
        next: 'run rowhouse login, or set ROWHOUSE_TOKEN to a personal access token',
      });
    return new ControlApi(this.environment, url, token);
  }

  /**
   * Throws when only `rowhouse.json` names the address.
   * Otherwise, an untrusted repository could have secrets sent to its own server.
   */
  assertOwnAddress(rejection: string): void {
    const { url, source } = this.#address();
    if (source === 'person' || readUserConfig(this.environment).servers[url] !== undefined) return;
    throw new CliError(`rowhouse.json names ${url}, which you have never signed in to, so ${rejection}.`, {
      exitCode: EXIT.usage,
      next: `if you trust this address, set it with --url ${url} or ROWHOUSE_URL`,
    });
  }

  #address(): Address {
    const own = this.text('url') ?? this.environment.env['ROWHOUSE_URL'];
    const ofFolder = own === undefined ? this.projectFile().url : undefined;
    const url = own ?? ofFolder ?? readUserConfig(this.environment).current ?? DEFAULT_URL;
    return { url: url.replace(/\/+$/, ''), source: ofFolder === undefined ? 'person' : 'folder' };
  }

  /** Returns the project from the option, the environment or `rowhouse.json`, or else the only project. */
  async project(): Promise<ProjectResponse> {
    const requested =
      this.text('project') ?? this.environment.env['ROWHOUSE_PROJECT'] ?? this.projectFile().project;
    const { items } = await this.api().get<{ items: ProjectResponse[] }>('/api/projects');
    if (requested === undefined) return onlyOf(items);
    const found = items.filter((project) => project.id === requested || project.name === requested);
    const [first] = found;
    if (first === undefined)
      throw new CliError(`Unknown project ${requested}.`, {
        next:
          items.length === 0
            ? 'run rowhouse projects create NAME'
            : `choose one of: ${items.map((project) => project.name).join(', ')}`,
      });
    if (found.length > 1)
      throw new CliError(`Several projects have the name ${requested}.`, {
        exitCode: EXIT.usage,
        next: `use one of these ids: ${found.map((project) => project.id).join(', ')}`,
      });
    return first;
  }

  async database(): Promise<DatabaseResponse> {
    return this.databaseOf(await this.project());
  }

  databaseOf(project: ProjectResponse): DatabaseResponse {
    const requested =
      this.text('database') ??
      this.environment.env['ROWHOUSE_DATABASE'] ??
      this.projectFile().database ??
      'development';
    const found = project.databases.find(
      (database) => database.id === requested || database.environment === requested,
    );
    if (found !== undefined) return found;
    throw new CliError(`${project.name} has no database ${requested}.`, {
      next: `choose one of: ${project.databases.map((database) => database.environment).join(', ')}`,
    });
  }

  /** Asks for confirmation unless `--yes` is set. Without a terminal, it throws. */
  async confirm(question: string, flag = '--yes'): Promise<void> {
    if (this.is('yes')) return;
    if (!this.environment.isInteractive)
      throw new CliError(`${question} Can't ask for confirmation without a terminal.`, {
        exitCode: EXIT.usage,
        next: `confirm with ${flag}`,
      });
    const answer = await this.environment.ask(`${toPrintable(question)} [y/N] `);
    if (!/^y(es)?$/i.test(answer.trim())) throw new CliError('Canceled.', { next: 'answer y to continue' });
  }
}

/** Parses a non-negative integer that the user typed. */
export function readCount(text: string, name: string): number {
  if (!/^\d{1,9}$/.test(text))
    throw new CliError(`Invalid number ${text} for ${name}.`, {
      exitCode: EXIT.usage,
      next: `use a whole number, such as ${name} 50`,
    });
  return Number(text);
}

function onlyOf(items: readonly ProjectResponse[]): ProjectResponse {
  const [first] = items;
  if (first === undefined)
    throw new CliError('You have no projects yet.', { next: 'run rowhouse projects create NAME' });
  if (items.length === 1) return first;
  throw new CliError('No project selected.', {
    exitCode: EXIT.usage,
    next: `set --project to one of: ${items.map((project) => project.name).join(', ')}; or run rowhouse init in this folder`,
  });
}
