import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import classes from './settings.module.css';

interface GuardedTablesFieldProps {
  /** The names of all tables. */
  readonly tables: readonly string[];
  readonly guarded: readonly string[];
  readonly onChange: (guarded: readonly string[]) => void;
}

/**
 * The tables whose rows can only be changed with If-Match: a list to remove from, and a field to add a table.
 */
export function GuardedTablesField({ tables, guarded, onChange }: GuardedTablesFieldProps) {
  const [chosen, setChosen] = useState('');
  const open = tables.filter((name) => !guarded.includes(name));
  const table = open.includes(chosen) ? chosen : open[0];
  return (
    <>
      {guarded.length > 0 ? (
        <ul className={classes.pills} aria-label="Tables that ask for a version">
          {guarded.map((name) => (
            <li key={name} className={classes.pill}>
              {name}
              <ActionIcon size="sm" aria-label={`Let ${name} be changed without a version`} onClick={() => onChange(guarded.filter((candidate) => candidate !== name))}><IconX size={13} /></ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {table !== undefined ? (
        <div className={classes.add}>
          <NativeSelect size="xs" label="Guarded table" data={open} value={table} onChange={(event) => setChosen(event.currentTarget.value)} />
          <Button size="xs" variant="default" onClick={() => onChange([...guarded, table])}>Ask for a version</Button>
        </div>
      ) : null}
    </>
  );
}
