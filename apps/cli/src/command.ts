import type { Context } from './context.js';

export interface OptionSpec {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  /** The placeholder for the value in the help, such as `FILE`. */
  readonly value?: string;
  readonly about: string;
}

/** A command, with everything that help, completion and parsing need. */
export interface Command {
  /** The words that call it, such as `schema deploy`. */
  readonly name: string;
  readonly about: string;
  /** The arguments in the help, such as `[FILE]`. */
  readonly args?: string;
  readonly argsMin?: number;
  readonly argsMax?: number;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  readonly examples: readonly string[];
  /** The text after the options in the help. */
  readonly notes?: string;
  /** Returns the exit code when it is not 0. */
  run(ctx: Context): Promise<number | void>;
}

/** The options of all commands. */
export const GLOBAL_OPTIONS: Readonly<Record<string, OptionSpec>> = {
  url: { type: 'string', value: 'URL', about: 'the address of the control plane (ROWHOUSE_URL)' },
  project: { type: 'string', short: 'p', value: 'ID|NAME', about: 'the project (ROWHOUSE_PROJECT)' },
  database: {
    type: 'string',
    short: 'd',
    value: 'ENV|ID',
    about: 'the database (ROWHOUSE_DATABASE); default: development',
  },
  json: { type: 'boolean', about: 'print JSON, for scripts' },
  yes: { type: 'boolean', short: 'y', about: 'skip confirmations' },
  color: { type: 'boolean', about: 'print colors even without a terminal; NO_COLOR disables them' },
  help: { type: 'boolean', short: 'h', about: 'show this help' },
};
