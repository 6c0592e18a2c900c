import type { DatabaseResponse, KeyResponse, RotatedKeyResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import { useRotateKey } from '../../data/keys/mutations.js';
import { Dialog } from '../../ui/dialogs/lazy-dialog.js';
import { DialogActions } from '../../ui/dialogs/dialog-actions.js';
import { RotateForm } from '../../ui/dialogs/rotate-form.js';
import { SecretBox } from '../../ui/code/secret-box.js';
import { TimeText } from '../../ui/formatting/time-text.js';
import { describeKeyName } from './describe-key.js';
import classes from './keys.module.css';
import { resetAndClose } from '../../ui/dialogs/reset-and-close.js';

interface RotateKeyDialogProps {
  readonly database: DatabaseResponse;
  /** The key to rotate. Null while the dialog is closed. */
  readonly rotating: KeyResponse | null;
  readonly onClose: () => void;
}

/**
 * A dialog that creates a new secret for an API key. It then shows the secret once, and the time until which
 * the previous secret works.
 */
export function RotateKeyDialog({ database, rotating, onClose }: RotateKeyDialogProps) {
  const rotate = useRotateKey(database.id);
  const close = resetAndClose(rotate, onClose);
  return (
    <Dialog
      opened={rotating !== null}
      onClose={close}
      size="lg"
      title={rotate.data ? 'Key rotated' : `Rotate ${rotating?.name ?? 'key'}?`}
      closesLightly={!rotate.data}
    >
      {rotate.data ? (
        <RotatedKey database={database} rotated={rotate.data} onDone={close} />
      ) : (
        <RotateForm
          label="Keep the old key working for"
          actionLabel="Rotate key"
          isPending={rotate.isPending}
          error={rotate.error}
          errorTitle="Couldn’t rotate the key"
          onRotate={(overlapSeconds) => rotating && rotate.mutate({ key: rotating, overlapSeconds })}
          onCancel={close}
        >
          Creates a new key with the same permissions as{' '}
          <span className="rh-mono">{describeKeyName(database.environment, rotating?.last4 ?? '')}</span>.
          Both keys work until the old one expires.
        </RotateForm>
      )}
    </Dialog>
  );
}

function RotatedKey({
  database,
  rotated,
  onDone,
}: {
  database: DatabaseResponse;
  rotated: RotatedKeyResponse;
  onDone: () => void;
}) {
  const { previous } = rotated;
  const name = <span className="rh-mono">{describeKeyName(database.environment, previous.last4)}</span>;
  const isFinished = previous.expires_at !== null && new Date(previous.expires_at).getTime() <= Date.now();
  return (
    <div className={classes.form}>
      <SecretBox
        secret={rotated.secret}
        label="API key"
        note="Copy your key now and replace the old one. You won’t be able to see it again."
      />
      <p>
        {isFinished ? (
          <>{name} has stopped working.</>
        ) : (
          <>
            {name} still works and expires <TimeText iso={previous.expires_at} />.
          </>
        )}
      </p>
      <DialogActions>
        <Button onClick={onDone}>Done</Button>
      </DialogActions>
    </div>
  );
}
