import type { Command } from './command.js';
import type { Context } from './context.js';

export interface DeleteSpec extends Pick<Command, 'name' | 'about' | 'examples'> {
  /** What the argument is called in the help; `ID` unless said. */
  readonly args?: string;
  /** Where the list lies that the id is of: `/api/keys`. */
  readonly path: (ctx: Context) => string | Promise<string>;
  /** Asked first, unless `--yes` stands there. */
  readonly question?: string;
  readonly done: string;
}

/** A command that ends the one thing whose id it is given. */
export function makeDeleteCommand({ args = 'ID', path, question, done, ...spec }: DeleteSpec): Command {
  return {
    ...spec,
    args,
    argsMin: 1,
    run: async (ctx) => {
      if (question !== undefined) await ctx.confirm(question);
      const [id = ''] = ctx.args;
      await ctx.api().delete(`${await path(ctx)}/${encodeURIComponent(id)}`);
      ctx.output.result({ id }, () => ctx.output.done(done));
    },
  };
}
