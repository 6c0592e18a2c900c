import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { tellCount } from '../../ui/format-number.js';

interface LeaveGuardProps {
  readonly table: string;
  readonly environment: string;
  /** How many changes wait to be saved. */
  readonly count: number;
}

/** Asks before changes are left behind. Of the room from its beginning: fetched with the first change, it would come too late for a click right behind that. */
export function LeaveGuard({ table, environment, count }: LeaveGuardProps) {
  const leave = useBlocker({ shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname, enableBeforeUnload: () => count > 0, withResolver: true });
  return (
    <ConfirmDialog opened={leave.status === 'blocked'} title="Leave without saving?" actionLabel="Leave and drop them" isPending={false} error={null} errorTitle="" onConfirm={() => leave.proceed?.()} onClose={() => leave.reset?.()}>
      {tellCount(count, 'change')} of {table} in {environment} would be lost.
    </ConfirmDialog>
  );
}
