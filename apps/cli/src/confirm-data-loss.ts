import { CliError, EXIT } from './cli-error.js';
import type { Context } from './context.js';

/** Asks the user to accept `count` losses. Without a terminal, only `--accept-loss` accepts them. */
export async function confirmDataLoss(ctx: Context, count: number): Promise<void> {
  if (!ctx.environment.isInteractive)
    throw new CliError(`This change loses data (${count === 1 ? '1 item' : `${count} items`}).`, {
      exitCode: EXIT.failed,
      next: 'review the losses with rowhouse schema diff, then repeat with --accept-loss',
      body: { code: 'schema.loss_not_accepted' },
    });
  await ctx.confirm('Continue and lose this data?', '--accept-loss');
}
