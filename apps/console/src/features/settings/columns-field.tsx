import { ActionIcon, Button, NativeSelect } from '@mantine/core';
import { IconX } from '@tabler/icons-react';
import { useState } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import classes from './settings.module.css';

type ColumnsByTable = Readonly<Record<string, readonly string[]>>;

interface ColumnsFieldProps {
  readonly tables: readonly TableView[];
  readonly chosen: ColumnsByTable;
  readonly onChange: (chosen: ColumnsByTable) => void;
  /** The label of the list. */
  readonly label: string;
  readonly addLabel: string;
  readonly removeLabel: (name: string) => string;
  /** A text that is shown if the schema has no column that can be selected. */
  readonly emptyText: string;
}

/** Selects columns of several tables: a list from which a column can be removed, and fields that add one. */
export function ColumnsField({
  tables,
  chosen,
  onChange,
  label,
  addLabel,
  removeLabel,
  emptyText,
}: ColumnsFieldProps) {
  const [chosenTable, setTable] = useState('');
  const [chosenColumn, setColumn] = useState('');
  const open = tables.filter((candidate) => listOpenColumns(candidate, chosen).length > 0);
  const table = open.find((candidate) => candidate.name === chosenTable) ?? open[0];
  const columns = table ? listOpenColumns(table, chosen) : [];
  const column = columns.includes(chosenColumn) ? chosenColumn : columns[0];
  const names = Object.entries(chosen).flatMap(([owner, list]) => list.map((name) => ({ owner, name })));
  const remove = (owner: string, name: string): void => {
    const rest = (chosen[owner] ?? []).filter((candidate) => candidate !== name);
    const { [owner]: _list, ...others } = chosen;
    onChange(rest.length > 0 ? { ...others, [owner]: rest } : others);
  };
  const add = (): void => {
    if (table && column !== undefined)
      onChange({ ...chosen, [table.name]: [...(chosen[table.name] ?? []), column] });
  };
  return (
    <>
      {names.length > 0 ? (
        <ul className={classes.pills} aria-label={label}>
          {names.map(({ owner, name }) => (
            <li key={`${owner}.${name}`} className={classes.pill}>
              {owner}.{name}
              <ActionIcon
                size="sm"
                aria-label={removeLabel(`${owner}.${name}`)}
                onClick={() => remove(owner, name)}
              >
                <IconX size={13} />
              </ActionIcon>
            </li>
          ))}
        </ul>
      ) : null}
      {table ? (
        <div className={classes.add} role="group" aria-label={label}>
          <NativeSelect
            size="xs"
            label="Table"
            data={open.map((entry) => entry.name)}
            value={table.name}
            onChange={(event) => setTable(event.currentTarget.value)}
          />
          <NativeSelect
            size="xs"
            label="Column"
            data={columns}
            value={column ?? ''}
            onChange={(event) => setColumn(event.currentTarget.value)}
          />
          <Button size="xs" variant="default" onClick={add}>
            {addLabel}
          </Button>
        </div>
      ) : null}
      {tables.length === 0 && emptyText !== '' ? <p>{emptyText}</p> : null}
    </>
  );
}

/** Returns the columns of a table that can still be added. */
function listOpenColumns(table: TableView, chosen: ColumnsByTable): string[] {
  return table.columns
    .map((entry) => entry.name)
    .filter((name) => chosen[table.name]?.includes(name) !== true);
}
