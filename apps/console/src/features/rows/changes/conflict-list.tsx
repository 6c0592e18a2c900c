import { Button } from '@mantine/core';
import { toCellText, toRecordLabel } from '../../../data/rows/cell-text.js';
import sheet from '../record/record-sheet.module.css';
import type { Staged } from './staged-changes.js';

interface ConflictListProps {
  /** An error message that the page already shows elsewhere, so the list leaves it out. */
  readonly message: string;
  readonly staged: Staged;
  readonly onKeep: (id: string) => void;
  readonly onDrop: (id: string) => void;
}

/**
 * Lists the changes that could not be saved, with the reasons. If another user changed the same row, the list
 * shows both users' values next to each other.
 */
export function ConflictList({ staged, message, onKeep, onDrop }: ConflictListProps) {
  const faulty = staged.changes.filter((change) => staged.faults[change.id] !== undefined);
  if (faulty.length === 0) return null;
  return (
    <ul className={sheet.conflicts} aria-label="Changes that weren’t saved">
      {faulty.map((change) => {
        const fault = staged.faults[change.id];
        if (fault === undefined) return null;
        const { conflict } = fault;
        return (
          <li key={change.id}>
            <div>
              <strong>{change.kind === 'insert' ? 'New row' : `Row ${toRecordLabel(change.path)}`}</strong>{' '}
              {fault.message === message ? '' : fault.message}
              {conflict?.current && change.kind === 'update' ? (
                <ul>
                  {Object.entries(change.values).map(([name, value]) => (
                    <li key={name}>
                      <code>{name}</code>: now <q>{toCellText(conflict.current?.[name]) || 'NULL'}</q>, yours{' '}
                      <q>{toCellText(value) || 'NULL'}</q>
                    </li>
                  ))}
                </ul>
              ) : null}
            </div>
            <span className={sheet.conflictActions}>
              {conflict?.current ? (
                <Button size="compact-xs" variant="default" onClick={() => onKeep(change.id)}>
                  {change.kind === 'delete' ? 'Delete anyway' : 'Keep mine'}
                </Button>
              ) : null}
              <Button size="compact-xs" variant="default" onClick={() => onDrop(change.id)}>
                {conflict ? 'Take theirs' : 'Discard this change'}
              </Button>
            </span>
          </li>
        );
      })}
    </ul>
  );
}
