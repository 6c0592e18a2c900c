import type { ListResponse } from '@rowhouse/contracts';
import type { Command } from './command.js';
import type { Context } from './context.js';
import type { Cell } from './output/render-table.js';

/** The properties of a list command. */
export interface ListSpec<Item> extends Pick<Command, 'name' | 'about' | 'examples' | 'options'> {
  /** The path of the list, such as `/api/tokens`. */
  readonly path: (ctx: Context) => string | Promise<string>;
  /** The columns of the table: the heading and the value for an item. */
  readonly columns: Readonly<Record<string, (item: Item) => Cell>>;
  /** A message for an empty list, with the way to create the first item. */
  readonly whenEmpty?: string;
}

/** Creates a command that shows a list as a table, or the items of the response with `--json`. */
export function makeListCommand<Item>({ path, columns, whenEmpty, ...spec }: ListSpec<Item>): Command {
  const heads = Object.keys(columns);
  const readers = Object.values(columns);
  return {
    ...spec,
    run: async (ctx) => {
      const { items } = await ctx.api().get<ListResponse<Item>>(await path(ctx));
      ctx.output.result(items, () => {
        ctx.output.table(
          heads,
          items.map((item) => readers.map((read) => read(item))),
        );
        if (items.length === 0 && whenEmpty !== undefined) ctx.output.note(whenEmpty);
      });
    },
  };
}

/** Returns a path below the selected database, as in `ofDatabase('keys')`. */
export function ofDatabase(rest: string): (ctx: Context) => Promise<string> {
  return async (ctx) => `/api/databases/${(await ctx.database()).id}/${rest}`;
}

/** Returns a path below the selected project. */
export function ofProject(rest: string): (ctx: Context) => Promise<string> {
  return async (ctx) => `/api/projects/${(await ctx.project()).id}/${rest}`;
}
