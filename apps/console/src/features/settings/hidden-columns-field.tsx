import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import classes from './settings.module.css';

type HiddenColumns = Readonly<Record<string, readonly string[]>>;

interface HiddenColumnsFieldProps {
  readonly tables: readonly TableView[];
  readonly hidden: HiddenColumns;
  readonly onChange: (hidden: HiddenColumns) => void;
}

/** Columns that no key reads: a list to take from, and a table and column to add. */
export function HiddenColumnsField({ tables, hidden, onChange }: HiddenColumnsFieldProps) {
  const [chosenTable, setTable] = useState('');
  const [chosenColumn, setColumn] = useState('');
  const table = tables.find((candidate) => candidate.name === chosenTable) ?? tables[0];
  const columns = (table?.columns ?? []).map((entry) => entry.name).filter((name) => hidden[table?.name ?? '']?.includes(name) !== true);
  const column = columns.includes(chosenColumn) ? chosenColumn : columns[0];
  const names = Object.entries(hidden).flatMap(([owner, list]) => list.map((name) => ({ owner, name })));
  const remove = (owner: string, name: string): void => {
    const rest = (hidden[owner] ?? []).filter((candidate) => candidate !== name);
    const { [owner]: _list, ...others } = hidden;
    onChange(rest.length > 0 ? { ...others, [owner]: rest } : others);
  };
  const add = (): void => {
    if (table && column !== undefined) onChange({ ...hidden, [table.name]: [...(hidden[table.name] ?? []), column] });
  };
  return (
    <>
      {names.length > 0 ? (
        <ul className={classes.pills} aria-label="Hidden columns">
          {names.map(({ owner, name }) => (
            <li key={`${owner}.${name}`} className={classes.pill}>
              {owner}.{name}
              <ActionIcon size="sm" aria-label={`Show ${owner}.${name} again`} onClick={() => remove(owner, name)}><IconX size={13} /></ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {table ? (
        <div className={classes.add}>
          <NativeSelect size="xs" label="Table" data={tables.map((entry) => entry.name)} value={table.name} onChange={(event) => setTable(event.currentTarget.value)} />
          <NativeSelect size="xs" label="Column" data={columns} value={column ?? ''} onChange={(event) => setColumn(event.currentTarget.value)} />
          <Button size="xs" variant="default" onClick={add} disabled={column === undefined}>Hide column</Button>
        </div>
      ) : null}
    </>
  );
}
