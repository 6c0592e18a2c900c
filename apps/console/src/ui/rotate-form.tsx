import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { DialogActions } from './dialog-actions.js';
import { ErrorNotice } from './error-notice.js';
import { OVERLAP_CHOICES, USUAL_OVERLAP } from './overlap-choices.js';

interface RotateFormProps {
  readonly children: ReactNode;
  /** The label of the choice of overlap. */
  readonly label: string;
  readonly actionLabel: string;
  readonly isPending: boolean;
  readonly error: unknown;
  readonly errorTitle: string;
  readonly onRotate: (overlapSeconds: number) => void;
  readonly onCancel: () => void;
}

/** Asks how long the previous credential stays valid. */
export function RotateForm({
  children,
  label,
  actionLabel,
  isPending,
  error,
  errorTitle,
  onRotate,
  onCancel,
}: RotateFormProps) {
  const [overlap, setOverlap] = useState(USUAL_OVERLAP);
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (!isPending) onRotate(Number(overlap));
  };
  return (
    <form onSubmit={submit} style={{ display: 'grid', gap: 14 }}>
      <div>{children}</div>
      <NativeSelect
        label={label}
        data={[...OVERLAP_CHOICES]}
        value={overlap}
        onChange={(event) => setOverlap(event.currentTarget.value)}
        data-autofocus
      />
      {error === null || error === undefined ? null : <ErrorNotice title={errorTitle} error={error} />}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" loading={isPending}>
          {actionLabel}
        </Button>
      </DialogActions>
    </form>
  );
}
