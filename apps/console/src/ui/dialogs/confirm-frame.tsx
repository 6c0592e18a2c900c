import { Button, TextInput } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { DialogActions } from './dialog-actions.js';
import { DialogFrame } from './dialog-frame.js';
import { ErrorNotice } from '../notices/error-notice.js';

export interface ConfirmDialogProps {
  readonly opened: boolean;
  readonly title: string;
  readonly children: ReactNode;
  readonly actionLabel: string;
  /** The text that the user must type before the action is enabled. Without it, one click confirms. */
  readonly typedWord?: string;
  /** False while required input in the children is missing. */
  readonly isComplete?: boolean;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly errorTitle: string;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

/** The content of `ConfirmDialog`. Its code is loaded when such a dialog is first opened. */
export function ConfirmFrame(props: ConfirmDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title={props.title}>
      <ConfirmForm {...props} />
    </DialogFrame>
  );
}

/**
 * The form is a separate component from the dialog, so that typed text is gone when the dialog opens again.
 */
function ConfirmForm({
  children,
  actionLabel,
  typedWord,
  isComplete = true,
  isPending,
  error,
  errorTitle,
  onConfirm,
  onClose,
}: ConfirmDialogProps) {
  const [typed, setTyped] = useState('');
  const isOpen = isComplete && (typedWord === undefined || typed === typedWord);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isOpen && !isPending) onConfirm();
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <div>{children}</div>
      {typedWord === undefined ? null : (
        <TextInput
          label={
            <>
              Type <strong>{typedWord}</strong> to confirm
            </>
          }
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
        />
      )}
      {error === null || error === undefined ? null : <ErrorNotice title={errorTitle} error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose} data-autofocus={typedWord === undefined || undefined}>
          Cancel
        </Button>
        <Button type="submit" color="brick" disabled={!isOpen} loading={isPending}>
          {actionLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
