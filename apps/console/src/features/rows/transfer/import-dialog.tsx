import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button, NativeSelect, Textarea } from '@mantine/core';
import { useState } from 'react';
import { toCellText } from '../../../data/rows/cell-text.js';
import { useImportRows, type ImportReport } from '../../../data/rows/transfer-rows.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import { DialogActions } from '../../../ui/dialogs/dialog-actions.js';
import { DialogFrame } from '../../../ui/dialogs/dialog-frame.js';
import { ErrorNotice } from '../../../ui/notices/error-notice.js';
import { formatCount, formatCountOf } from '../../../ui/formatting/format-number.js';
import { Segments } from '../../../ui/controls/segments.js';
import { guessMapping, readImport, toNdjson, type ImportSource, type Mapping } from './read-import.js';
import classes from '../tools.module.css';

interface ImportDialogProps {
  readonly opened: boolean;
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly onClose: () => void;
}

/**
 * The maximum size of a file to import, in bytes. The browser loads the whole file into memory. Larger files
 * can be imported through the API or the CLI.
 */
const BYTES_MAX = 100 * 1024 * 1024;
const FAULTS_SHOWN = 200;

/**
 * Imports rows from a file or the clipboard. The user maps names in the file to columns, tests the import,
 * and sees the result of each row.
 */
export function ImportDialog({ opened, onClose, ...props }: ImportDialogProps) {
  return (
    <DialogFrame opened={opened} onClose={onClose} title={`Import into ${props.table.name}`} size="lg">
      <ImportForm {...props} onClose={onClose} />
    </DialogFrame>
  );
}

function ImportForm({ database, table, onClose }: Omit<ImportDialogProps, 'opened'>) {
  const [source, setSource] = useState<ImportSource | null>(null);
  const [mapping, setMapping] = useState<Mapping>({});
  const [fault, setFault] = useState<string | null>(null);
  const [onError, setOnError] = useState<'stop' | 'continue'>('continue');
  const run = useImportRows(database, table);
  const read = (text: string): void => {
    run.reset();
    try {
      const found = readImport(text);
      setSource(found);
      setMapping(guessMapping(found.names, table.columns));
      setFault(null);
    } catch (error) {
      setSource(null);
      setFault(
        text.trim() === '' ? null : error instanceof Error ? error.message : 'Couldn’t read the file.',
      );
    }
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    if (file.size > BYTES_MAX)
      return setFault(
        'For files over 100 MB use the API: POST the file to the table with Prefer: on-error=continue.',
      );
    read(await file.text());
  };
  const start = (isRehearsal: boolean): void => {
    if (source !== null)
      run.mutate({ ndjson: toNdjson(source, mapping, table.columns), onError, isRehearsal });
  };
  const isDone = run.data !== undefined && !run.data.isRehearsal;
  return (
    <div className={classes.form}>
      {isDone ? null : (
        <>
          <label className={classes.file}>
            <span>CSV or JSON file</span>
            <input
              type="file"
              accept=".csv,.tsv,.json,.ndjson,.jsonl,text/csv,application/json"
              onChange={(event) => void take(event.currentTarget.files?.[0])}
            />
          </label>
          <Textarea
            size="xs"
            label="Or paste rows"
            rows={4}
            spellCheck={false}
            placeholder={'name,email\nada,ada@example.com'}
            onChange={(event) => read(event.currentTarget.value)}
            error={fault}
          />
        </>
      )}
      {source === null || isDone ? null : (
        <MappingTable source={source} table={table} mapping={mapping} onChange={setMapping} />
      )}
      {source === null || isDone ? null : (
        <Segments
          aria-label="Rows with errors"
          data={[
            { value: 'continue', label: 'Skip rows with errors' },
            { value: 'stop', label: 'Stop at the first error' },
          ]}
          value={onError}
          onChange={(value) => setOnError(value as 'stop' | 'continue')}
        />
      )}
      {run.isError ? <ErrorNotice title="Import failed" error={run.error} /> : null}
      {run.data ? <Report report={run.data} /> : null}
      <DialogActions>
        {isDone ? (
          <Button onClick={onClose}>Done</Button>
        ) : (
          <>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button
              variant="default"
              disabled={source === null || Object.keys(mapping).length === 0}
              loading={run.isPending && run.variables.isRehearsal}
              onClick={() => start(true)}
            >
              Test import
            </Button>
            <Button
              disabled={source === null || Object.keys(mapping).length === 0}
              loading={run.isPending && !run.variables.isRehearsal}
              onClick={() => start(false)}
            >
              Import {source === null ? '' : formatCount(source.rows.length)}{' '}
              {source?.rows.length === 1 ? 'row' : 'rows'}
              {database.environment === 'production' ? ' into production' : ''}
            </Button>
          </>
        )}
      </DialogActions>
    </div>
  );
}

function MappingTable({
  source,
  table,
  mapping,
  onChange,
}: {
  source: ImportSource;
  table: TableView;
  mapping: Mapping;
  onChange: (mapping: Mapping) => void;
}) {
  const choices = [
    { value: '', label: 'Skip' },
    ...table.columns
      .filter((column) => !column.isGenerated)
      .map((column) => ({ value: column.name, label: column.name })),
  ];
  return (
    <div className={classes.scroll} tabIndex={0} role="group" aria-label="Column mapping">
      <table className={classes.mapping}>
        <thead>
          <tr>
            <th scope="col">Column in file</th>
            <th scope="col">First value</th>
            <th scope="col">Import as</th>
          </tr>
        </thead>
        <tbody>
          {source.names.map((name) => (
            <tr key={name}>
              <td>{name}</td>
              <td className="rh-dim">{toCellText(source.rows[0]?.[name]).slice(0, 60) || 'NULL'}</td>
              <td>
                <NativeSelect
                  size="xs"
                  aria-label={`Column for ${name}`}
                  data={choices}
                  value={mapping[name] ?? ''}
                  onChange={(event) => onChange(withTarget(mapping, name, event.currentTarget.value))}
                />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/**
 * Maps the name to the column `target`. A column is filled from one name only, so another name with this
 * target is unmapped.
 */
function withTarget(mapping: Mapping, name: string, target: string): Mapping {
  const others = Object.entries(mapping).filter(([other, column]) => other !== name && column !== target);
  return Object.fromEntries(target === '' ? others : [...others, [name, target]]);
}

function Report({ report }: { report: ImportReport }) {
  const { committed, failed, faults, isRehearsal } = report;
  return (
    <div role="status" aria-label="Report" className={classes.form}>
      <p className={classes.note}>
        <strong>{formatCountOf(committed, 'row')}</strong> {isRehearsal ? 'would be imported' : 'imported'},{' '}
        <strong>{formatCountOf(failed, 'row')}</strong> with errors.
        {isRehearsal ? ' Nothing has been saved.' : ''}
      </p>
      {faults.length === 0 ? null : (
        <div className={classes.scroll} tabIndex={0} role="group" aria-label="Rows with errors">
          <ul className={classes.report}>
            {faults.slice(0, FAULTS_SHOWN).map((fault) => (
              <li key={fault.line}>
                <strong>Row {fault.line}</strong> {fault.message} <code>{fault.code}</code>
              </li>
            ))}
            {faults.length > FAULTS_SHOWN ? (
              <li className="rh-dim">and {faults.length - FAULTS_SHOWN} more</li>
            ) : null}
          </ul>
        </div>
      )}
    </div>
  );
}
