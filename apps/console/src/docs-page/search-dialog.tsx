import { useEffect, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react';
import type { ApiReference } from '@rowhouse/emitters/reference';
import { findEntries, listSearchEntries } from './search-entries.js';

/** A dialog that finds tables, operations and columns. Arrow keys select, and Enter opens. */
export function SearchDialog({ reference, onClose }: { reference: ApiReference; onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState('');
  const [at, setAt] = useState(0);
  const entries = useMemo(() => listSearchEntries(reference), [reference]);
  const found = useMemo(() => findEntries(entries, text), [entries, text]);
  useEffect(() => dialog.current?.showModal(), []);
  useEffect(() => {
    document.getElementById(`${id}-${at}`)?.scrollIntoView({ block: 'nearest' });
  }, [id, at]);
  const open = (index: number): void => {
    const entry = found[index];
    if (entry === undefined) return;
    dialog.current?.close();
    location.hash = entry.hash;
  };
  const move = (event: KeyboardEvent): void => {
    const steps: Record<string, number> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (event.key === 'Enter') open(at);
    else if (step === undefined) return;
    else setAt((current) => Math.min(Math.max(current + step, 0), Math.max(found.length - 1, 0)));
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} className="search" aria-label="Search" onClose={onClose} closedby="any">
      <input
        type="text"
        role="combobox"
        aria-label="Search tables, columns and operations"
        aria-expanded={found.length > 0}
        aria-controls={`${id}-list`}
        aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        placeholder="Search tables, columns and operations"
        value={text}
        autoFocus
        onKeyDown={move}
        onChange={(event) => {
          setText(event.currentTarget.value);
          setAt(0);
        }}
      />
      <ul id={`${id}-list`} role="listbox" aria-label="Results">
        {found.map((entry, index) => (
          <li
            key={`${entry.kind} ${entry.hash}`}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === at}
            onClick={() => open(index)}
            onPointerMove={() => setAt(index)}
          >
            <span className="kind">{entry.kind}</span>
            <span className="label">{entry.label}</span>
            <code>{entry.note}</code>
          </li>
        ))}
      </ul>
      <p role="status" className="dim">
        {found.length === 0 ? `No results for “${text}”` : ''}
      </p>
    </dialog>
  );
}
