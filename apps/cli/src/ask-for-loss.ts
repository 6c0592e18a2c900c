import { CliError, EXIT } from './cli-error.js';
import type { Context } from './context.js';

/** Asks the user to accept `count` losses. Without a terminal, only `--accept-loss` accepts them. */
export async function askForLoss(ctx: Context, count: number): Promise<void> {
  if (!ctx.world.isInteractive) throw new CliError(`${count === 1 ? 'Something' : `${count} things`} would be lost.`, { exitCode: EXIT.failed, next: 'rowhouse schema diff shows what; --accept-loss goes on all the same', body: { code: 'schema.loss_not_accepted' } });
  await ctx.confirm('Go on and lose that?', '--accept-loss');
}
