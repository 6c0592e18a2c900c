import { useId, useState, type KeyboardEvent } from 'react';
import { Dialog } from '../../ui/dialogs/lazy-dialog.js';
import classes from './palette.module.css';
import { usePaletteEntries, type PaletteEntry } from './use-palette-entries.js';

const SHOWN_MAX = 40;

/**
 * The command palette, which finds pages, tables and actions by name. It is a combobox: the focus stays in
 * the text field, arrow keys move the selection, and Enter opens the selected entry.
 */
export function Palette({ opened, onClose }: { opened: boolean; onClose: () => void }) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Search and commands" size={560} isBare>
      <PaletteBody onClose={onClose} />
    </Dialog>
  );
}

function PaletteBody({ onClose }: { onClose: () => void }) {
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const entries = rankEntries(usePaletteEntries(), typed);
  const index = Math.min(active, entries.length - 1);
  const run = (entry: PaletteEntry | undefined): void => {
    if (!entry) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'ArrowDown') setActive(entries.length === 0 ? 0 : (index + 1) % entries.length);
    else if (event.key === 'ArrowUp')
      setActive(entries.length === 0 ? 0 : (index - 1 + entries.length) % entries.length);
    else if (event.key === 'Enter') run(entries[index]);
    else return;
    event.preventDefault();
  };
  return (
    <>
      <input
        className={classes.field}
        role="combobox"
        aria-label="Search pages, tables and actions"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={entries.length > 0 ? `${listId}-${index}` : undefined}
        placeholder="Search pages, tables and actions…"
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
      <div className={classes.list} role="listbox" id={listId} aria-label="Results" tabIndex={-1}>
        {entries.map((entry, position) => (
          <PaletteOption
            key={entry.id}
            entry={entry}
            id={`${listId}-${position}`}
            isActive={position === index}
            onPick={() => run(entry)}
            onPoint={() => setActive(position)}
          />
        ))}
      </div>
      {entries.length === 0 ? (
        <p className={classes.none} role="status">
          No results for “{typed}”.
        </p>
      ) : null}
    </>
  );
}

interface PaletteOptionProps {
  readonly entry: PaletteEntry;
  readonly id: string;
  readonly isActive: boolean;
  readonly onPick: () => void;
  readonly onPoint: () => void;
}

function PaletteOption({ entry, id, isActive, onPick, onPoint }: PaletteOptionProps) {
  return (
    <div
      ref={isActive ? (element) => element?.scrollIntoView({ block: 'nearest' }) : undefined}
      id={id}
      role="option"
      aria-selected={isActive}
      className={classes.option}
      onMouseMove={isActive ? undefined : onPoint}
      onClick={onPick}
    >
      <span>{entry.label}</span>
      <span className={classes.group}>{entry.hint ?? entry.group}</span>
    </div>
  );
}

/**
 * Returns the entries that contain every typed word in their label, group or other terms. Entries whose label
 * starts with the text come first. Otherwise the order is unchanged.
 */
export function rankEntries(entries: readonly PaletteEntry[], typed: string): PaletteEntry[] {
  const text = typed.trim().toLowerCase();
  if (text === '') return entries.slice(0, SHOWN_MAX);
  const words = text.split(/\s+/);
  const fits = entries.filter((entry) => {
    const hay = `${entry.label} ${entry.group} ${entry.hint ?? ''} ${entry.terms ?? ''}`.toLowerCase();
    return words.every((word) => hay.includes(word));
  });
  const rank = (entry: PaletteEntry): number =>
    entry.label.toLowerCase().startsWith(text) ? 0 : entry.label.toLowerCase().includes(text) ? 1 : 2;
  return fits.sort((a, b) => rank(a) - rank(b)).slice(0, SHOWN_MAX);
}
