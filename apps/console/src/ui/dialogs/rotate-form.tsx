import { Button, NativeSelect } from '@mantine/core';
import { useState, type FormEvent, type ReactNode } from 'react';
import { DialogActions } from './dialog-actions.js';
import { ErrorNotice } from '../notices/error-notice.js';

const HOUR_SECONDS = 3_600;

/** How long the previous credential stays valid, in seconds. */
const OVERLAP_CHOICES: readonly { value: string; label: string }[] = [
  { value: '0', label: 'Stop it now' },
  { value: String(HOUR_SECONDS), label: '1 hour' },
  { value: String(24 * HOUR_SECONDS), label: '1 day' },
  { value: String(7 * 24 * HOUR_SECONDS), label: '7 days' },
  { value: String(30 * 24 * HOUR_SECONDS), label: '30 days' },
];

/** The default: the previous credential stays valid for a day. */
const USUAL_OVERLAP = String(24 * HOUR_SECONDS);
interface RotateFormProps {
  readonly children: ReactNode;
  /** The label of the field for how long the previous credential stays valid. */
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
