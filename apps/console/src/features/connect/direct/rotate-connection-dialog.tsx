import type { ConnectionResponse, CreatedConnectionResponse, DatabaseResponse } from '@rowhouse/contracts';
import { useRotateConnection } from '../../../data/connections/mutations.js';
import { Dialog } from '../../../ui/dialogs/lazy-dialog.js';
import { RotateForm } from '../../../ui/dialogs/rotate-form.js';
import { resetAndClose } from '../../../ui/dialogs/reset-and-close.js';

interface RotateConnectionDialogProps {
  readonly database: DatabaseResponse;
  /** Null while the dialog is closed. */
  readonly rotating: ConnectionResponse | null;
  /**
   * Receives the connection string with the new password. The page shows it like that of a new connection.
   */
  readonly onRotated: (created: CreatedConnectionResponse) => void;
  readonly onClose: () => void;
}

/** Sets a new password for an existing user. Open sessions continue. */
export function RotateConnectionDialog({
  database,
  rotating,
  onRotated,
  onClose,
}: RotateConnectionDialogProps) {
  const rotate = useRotateConnection(database.id);
  const close = resetAndClose(rotate, onClose);
  const start = (overlapSeconds: number): void => {
    if (rotating === null) return;
    rotate.mutate(
      { id: rotating.id, overlapSeconds },
      {
        onSuccess: (created) => {
          onRotated(created);
          close();
        },
      },
    );
  };
  return (
    <Dialog opened={rotating !== null} onClose={close} title={`Rotate ${rotating?.name ?? 'connection'}?`}>
      <RotateForm
        label="Keep the old password working for"
        actionLabel="Rotate password"
        isPending={rotate.isPending}
        error={rotate.error}
        errorTitle="Couldn’t rotate the password"
        onRotate={start}
        onCancel={close}
      >
        Gives <span className="rh-mono">{rotating?.user}</span> a new password. Open sessions end when the old
        password stops working.
      </RotateForm>
    </Dialog>
  );
}
