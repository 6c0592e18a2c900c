import type { ListAnswer } from '@rowhouse/contracts';
import type { Command } from './command.js';
import type { Context } from './context.js';
import type { Cell } from './output/render-table.js';

/** What a list command is, beside being one. */
export interface ListSpec<Item> extends Pick<Command, 'name' | 'about' | 'examples' | 'options'> {
  /** Where the control plane answers the list: `/api/tokens`. */
  readonly path: (ctx: Context) => string | Promise<string>;
  /** The table: what heads a column, and what stands in it. */
  readonly columns: Readonly<Record<string, (item: Item) => Cell>>;
  /** Said where the list is empty: the way to a first one. */
  readonly whenEmpty?: string;
}

/** A command that shows what a path lists: as a table, or with `--json` as it came. */
export function makeListCommand<Item>({ path, columns, whenEmpty, ...spec }: ListSpec<Item>): Command {
  const heads = Object.keys(columns);
  const readers = Object.values(columns);
  return {
    ...spec,
    run: async (ctx) => {
      const { items } = await ctx.api().get<ListAnswer<Item>>(await path(ctx));
      ctx.output.result(items, () => {
        ctx.output.table(heads, items.map((item) => readers.map((read) => read(item))));
        if (items.length === 0 && whenEmpty !== undefined) ctx.output.note(whenEmpty);
      });
    },
  };
}

/** The path of something below the chosen database: `ofDatabase('keys')`. */
export function ofDatabase(rest: string): (ctx: Context) => Promise<string> {
  return async (ctx) => `/api/databases/${(await ctx.database()).id}/${rest}`;
}

/** The path of something below the chosen project. */
export function ofProject(rest: string): (ctx: Context) => Promise<string> {
  return async (ctx) => `/api/projects/${(await ctx.project()).id}/${rest}`;
}
