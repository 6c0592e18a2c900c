import { useBlocker } from '@tanstack/react-router';
import { ConfirmDialog } from '../../ui/confirm-dialog.js';
import { reportCount } from '../../ui/format-number.js';

interface LeaveGuardProps {
  readonly table: string;
  readonly environment: string;
  /** The number of unsaved changes. */
  readonly count: number;
}

/**
 * Asks before unsaved changes are discarded. It is loaded with the page, because with the first change it
 * could be too late for a click right after it.
 */
export function LeaveGuard({ table, environment, count }: LeaveGuardProps) {
  const leave = useBlocker({
    shouldBlockFn: ({ current, next }) => count > 0 && current.pathname !== next.pathname,
    enableBeforeUnload: () => count > 0,
    withResolver: true,
  });
  return (
    <ConfirmDialog
      opened={leave.status === 'blocked'}
      title="Leave without saving?"
      actionLabel="Discard and leave"
      isPending={false}
      error={null}
      errorTitle=""
      onConfirm={() => leave.proceed?.()}
      onClose={() => leave.reset?.()}
    >
      You have {reportCount(count, 'unsaved change')} to {table} in {environment}.
    </ConfirmDialog>
  );
}
