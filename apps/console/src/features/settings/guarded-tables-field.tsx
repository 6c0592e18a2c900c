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
 * Selects the tables whose rows can be changed only with an If-Match header: a list from which a table can be
 * removed, and a field that adds one.
 */
export function GuardedTablesField({ tables, guarded, onChange }: GuardedTablesFieldProps) {
  const [chosen, setChosen] = useState('');
  const open = tables.filter((name) => !guarded.includes(name));
  const table = open.includes(chosen) ? chosen : open[0];
  return (
    <>
      {guarded.length > 0 ? (
        <ul className={classes.pills} aria-label="Tables that require If-Match">
          {guarded.map((name) => (
            <li key={name} className={classes.pill}>
              {name}
              <ActionIcon
                size="sm"
                aria-label={`Stop requiring If-Match for ${name}`}
                onClick={() => onChange(guarded.filter((candidate) => candidate !== name))}
              >
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {table !== undefined ? (
        <div className={classes.add}>
          <NativeSelect
            size="xs"
            label="Table"
            data={open}
            value={table}
            onChange={(event) => setChosen(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" onClick={() => onChange([...guarded, table])}>
            Require
          </Button>
        </div>
      ) : null}
    </>
  );
}
