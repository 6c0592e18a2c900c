import type { ProjectResponse, TransferFileResponse } from '@rowhouse/contracts';
import { Button, FileInput, Textarea } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiError } from '../../../data/client/api-error.js';
import { useImportDump } from '../../../data/schema/mutations.js';
import { transferFileQuery, schemaKeys } from '../../../data/schema/queries.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCount, formatCountOf } from '../../../ui/formatting/format-number.js';
import { Segments } from '../../../ui/controls/segments.js';
import { SkeletonRows } from '../../../ui/loading/skeleton.js';
import classes from '../schema.module.css';
import { useSchemaLocation } from '../schema-search.js';

interface ImportDialogProps {
  readonly project: ProjectResponse;
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** Imports an SQL dump or other SQL text into the draft, and reports the lines that it could not import. */
export function ImportDialog(props: ImportDialogProps) {
  return (
    <DialogFrame opened={props.opened} onClose={props.onClose} title="Import a dump" size="lg">
      <ImportForm {...props} />
    </DialogFrame>
  );
}

function ImportForm({ project, onClose }: ImportDialogProps) {
  const [file, setFile] = useState<File | null>(null);
  const [text, setText] = useState('');
  const [mode, setMode] = useState<'apply' | 'replace'>('apply');
  const upload = useImportDump(project.id);
  const send = (): void =>
    upload.mutate({ body: file ?? text, mode, isZipped: file !== null && /\.gz$/.test(file.name) });
  if (upload.data) return <ImportReport project={project} file={upload.data} onClose={onClose} />;
  return (
    <div className={classes.form}>
      <FileInput
        label="Dump file"
        placeholder="Choose a .sql or .sql.gz file"
        accept=".sql,.gz,.txt"
        value={file}
        onChange={setFile}
        clearable
        clearButtonProps={{ 'aria-label': 'Remove file' }}
      />
      {file === null ? (
        <Textarea
          label="Or paste its text"
          autosize
          minRows={4}
          maxRows={10}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)', fontSize: '0.8125rem' } }}
        />
      ) : null}
      <div className={classes.form}>
        <Segments
          aria-label="How to import"
          data={[
            { value: 'apply', label: 'Add to the draft' },
            { value: 'replace', label: 'Replace the draft' },
          ]}
          value={mode}
          onChange={(value) => setMode(value as typeof mode)}
        />
        <p className={classes.done}>
          {mode === 'apply'
            ? 'Adds the dump’s tables to the draft.'
            : 'Replaces the draft with the dump. You can undo this.'}{' '}
          Its rows are stored as a file for 7 days, so you can load them into a database.
        </p>
      </div>
      {upload.isError ? <ErrorNotice title="Couldn’t read the dump" error={upload.error} /> : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button loading={upload.isPending} disabled={file === null && text.trim() === ''} onClick={send}>
          Import
        </Button>
      </DialogActions>
    </div>
  );
}

function ImportReport({
  project,
  file,
  onClose,
}: {
  project: ProjectResponse;
  file: TransferFileResponse;
  onClose: () => void;
}) {
  const { goTo } = useSchemaLocation();
  const queryClient = useQueryClient();
  const current = useQuery({ ...transferFileQuery(project.id, file.id), initialData: file });
  const { state, tables, rows, problems, problems_total: problemsTotal, error } = current.data;
  const isDone = state !== 'writing';
  useEffect(() => {
    if (isDone) void queryClient.invalidateQueries({ queryKey: schemaKeys.all(project.id) });
  }, [isDone, project.id, queryClient]);
  return (
    <div className={classes.form}>
      {isDone ? null : (
        <>
          <p className={classes.done} role="status">
            Reading the dump: {formatCount(rows)} rows so far.
          </p>
          <SkeletonRows rows={2} height={18} />
        </>
      )}
      {state === 'failed' ? (
        <ErrorNotice title="Couldn’t import the dump" error={new ApiError(422, error)} />
      ) : null}
      {state === 'ready' ? (
        <p role="status">
          Added {formatCountOf(tables.length, 'table')} with {formatCountOf(rows, 'row')} to the draft.
        </p>
      ) : null}
      {problems.length > 0 ? (
        <div className={classes.warning} role="note" aria-label="Not imported">
          <strong>{formatCountOf(problemsTotal, 'object')} not imported</strong>
          <ul className={classes.dropped}>
            {problems.map((problem) => (
              <li key={`${problem.line} ${problem.object}`}>
                Line {problem.line}
                {problem.object === '' ? '' : `, ${problem.object}`}: {problem.reason}
              </li>
            ))}
          </ul>
        </div>
      ) : null}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          Close
        </Button>
        <Button
          disabled={state !== 'ready'}
          onClick={() => {
            onClose();
            goTo({ view: 'deploy' });
          }}
        >
          Review changes
        </Button>
      </DialogActions>
    </div>
  );
}
