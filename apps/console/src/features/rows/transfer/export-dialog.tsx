import { Button, Checkbox } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState, type ReactNode } from 'react';
import { describeBytes } from '../../../data/rows/cell-text.js';
import { exportStream, type ExportForm, type ExportInput } from '../../../data/rows/transfer-rows.js';
import type { GatewayDatabase } from '../../../data/gateway/call-gateway.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { saveFile } from '../../../ui/code/save-file.js';
import { Segments } from '../../../ui/controls/segments.js';
import classes from '../tools.module.css';

interface ExportDialogProps {
  readonly opened: boolean;
  readonly database: GatewayDatabase;
  /** A description of what the exported file contains. */
  readonly children: ReactNode;
  /** The file name without its extension. */
  readonly fileName: string;
  readonly request: ExportInput['request'];
  readonly onClose: () => void;
}

/**
 * Exports all rows of a list or query as one file. The rows are streamed, so any number of rows can be
 * exported.
 */
export function ExportDialog({ opened, onClose, ...props }: ExportDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title="Export" size="sm">
      <ExportForm {...props} onClose={onClose} />
    </DialogFrame>
  );
}

function ExportForm({ database, children, fileName, request, onClose }: Omit<ExportDialogProps, 'opened'>) {
  const [form, setForm] = useState<ExportForm>('csv');
  const [isDisarmed, setDisarmed] = useState(false);
  const [bytes, setBytes] = useState(0);
  const abort = useRef<AbortController | null>(null);
  const run = useMutation({
    mutationFn: async () => {
      abort.current = new AbortController();
      setBytes(0);
      return exportStream(database, {
        form,
        isDisarmed,
        request,
        signal: abort.current.signal,
        onBytes: setBytes,
      });
    },
    onSuccess: (blob) => {
      saveFile(blob, `${fileName}.${form}`);
      onClose();
    },
  });
  const isCancelled = run.error instanceof DOMException && run.error.name === 'AbortError';
  return (
    <div className={classes.form}>
      <p className={classes.note}>{children}</p>
      <Segments
        aria-label="Format"
        data={[
          { value: 'csv', label: 'CSV' },
          { value: 'json', label: 'JSON' },
          { value: 'ndjson', label: 'NDJSON' },
        ]}
        value={form}
        onChange={(value) => setForm(value as ExportForm)}
      />
      {form === 'csv' ? (
        <Checkbox
          size="xs"
          label="Safe for spreadsheets"
          description="Prefixes formula-like text with an apostrophe. Turn off if you’ll import the file again."
          checked={isDisarmed}
          onChange={(event) => setDisarmed(event.currentTarget.checked)}
        />
      ) : null}
      {run.isPending ? (
        <p className={classes.note} role="status">
          {describeBytes(bytes)} so far
        </p>
      ) : null}
      {run.isError && !isCancelled ? <ErrorNotice title="Export failed" error={run.error} /> : null}
      <DialogActions>
        <Button
          variant="default"
          onClick={() => {
            abort.current?.abort();
            onClose();
          }}
        >
          Cancel
        </Button>
        <Button onClick={() => run.mutate()} loading={run.isPending} data-autofocus>
          Export
        </Button>
      </DialogActions>
    </div>
  );
}
