import type { Command } from './command.js';
import type { Context } from './context.js';

export interface DeleteSpec extends Pick<Command, 'name' | 'about' | 'examples'> {
  /** The name of the argument in the help, `ID` by default. */
  readonly args?: string;
  /** The path of the collection with the object, such as `/api/keys`. */
  readonly path: (ctx: Context) => string | Promise<string>;
  /** A question to confirm first, unless `--yes` is set. */
  readonly question?: string;
  readonly done: string;
}

/** Creates a command that deletes the object with the given id. */
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
