import type { OrganizationResponse } from '@rowhouse/contracts';
import { useLeaveOrganization } from '../../data/team/mutations.js';
import { ConfirmDialog } from '../../ui/dialogs/lazy-dialog.js';
import { showToast } from '../../ui/notices/toasts.js';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

interface LeaveDialogProps {
  readonly organization: OrganizationResponse | null;
  /** The account of the signed-in user. */
  readonly accountId: string;
  readonly onClose: () => void;
  readonly onLeft?: () => void;
}

/**
 * A dialog for leaving an organization. The server does not allow this to the last owner and explains why.
 */
export function LeaveDialog({ organization, accountId, onClose, onLeft }: LeaveDialogProps) {
  const leave = useLeaveOrganization(organization?.id ?? '');
  const close = resetAndClose(leave, onClose);
  const confirm = (): void =>
    leave.mutate(accountId, {
      onSuccess: () => {
        close();
        showToast({ text: `You left ${organization?.name ?? ''}.` });
        onLeft?.();
      },
    });
  return (
    <ConfirmDialog
      opened={organization !== null}
      title={`Leave ${organization?.name ?? ''}?`}
      actionLabel="Leave"
      isPending={leave.isPending}
      error={leave.error}
      errorTitle="Couldn’t leave the organization"
      onConfirm={confirm}
      onClose={close}
    >
      You’ll lose access to its projects immediately.
    </ConfirmDialog>
  );
}
