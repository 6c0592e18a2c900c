import type { Context } from './context.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** What stands for the value in the help: `FILE`. */
  readonly value?: string;
  readonly about: string;
}

/** One command of the command line: everything that its help, completion and parsing need. */
export interface Command {
  /** `schema deploy`: the words that call it. */
  readonly name: string;
  readonly about: string;
  /** Behind the name: `[FILE]`. */
  readonly args?: string;
  readonly argsMin?: number;
  readonly argsMax?: number;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly string[];
  /** What stands below the options in its help. */
  readonly notes?: string;
  /** Answers the exit code where it is not 0. */
  run(ctx: Context): Promise<number | void>;
}

/** Understood by every command. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: { type: 'string', value: 'URL', about: 'address of the control plane (ROWHOUSE_URL)' },
  project: { type: 'string', short: 'p', value: 'ID|NAME', about: 'the project (ROWHOUSE_PROJECT)' },
  database: { type: 'string', short: 'd', value: 'ENV|ID', about: 'the database, development unless said (ROWHOUSE_DATABASE)' },
  json: { type: 'boolean', about: 'answer in JSON, for scripts' },
  yes: { type: 'boolean', short: 'y', about: 'ask nothing' },
  color: { type: 'boolean', about: 'colours even where this is no terminal; NO_COLOR turns them off' },
  help: { type: 'boolean', short: 'h', about: 'this help' },
};
