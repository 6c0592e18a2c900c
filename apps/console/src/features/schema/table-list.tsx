import { TextInput } from '@mantine/core';
import { IconKey, IconLink, IconTable } from '@tabler/icons-react';
import { useDeferredValue, useState } from 'react';
import type { ColumnView, TableView } from '../../data/schema/read-tables.js';
import classes from './table-list.module.css';

const SEARCH_FROM = 8;
const SHOWN_MAX = 200;

/** Tables of the draft with their columns, each to unfold. */
export function TableList({ tables }: { tables: readonly TableView[] }) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const found = tables.filter((table) => table.name.toLowerCase().includes(wanted) || table.columns.some((column) => column.name.toLowerCase().includes(wanted)));
  return (
    <div className={classes.list}>
      {tables.length > SEARCH_FROM ? <TextInput size="xs" aria-label="Filter tables" placeholder="Filter tables and columns" value={typed} onChange={(event) => setTyped(event.currentTarget.value)} /> : null}
      <div className={classes.tables}>
        {found.slice(0, SHOWN_MAX).map((table) => <TableEntry key={table.name} table={table} />)}
      </div>
      {found.length > SHOWN_MAX ? <p className={classes.more}>{found.length - SHOWN_MAX} more: type to find them.</p> : null}
    </div>
  );
}

function TableEntry({ table }: { table: TableView }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details className={classes.table} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        <IconTable size={15} aria-hidden />
        <span className={classes.name}>{table.name}</span>
        <span className={classes.count}>{table.kind === 'view' ? 'view' : table.columns.length}</span>
      </summary>
      {isOpen ? (
        <ul>
          {table.columns.map((column) => <ColumnEntry key={column.name} column={column} isKey={table.primaryKey.includes(column.name)} />)}
        </ul>
      ) : null}
    </details>
  );
}

function ColumnEntry({ column, isKey }: { column: ColumnView; isKey: boolean }) {
  return (
    <li>
      <span className={classes.sign}>
        {isKey ? <IconKey size={12} role="img" aria-label="primary key" /> : column.references ? <IconLink size={12} role="img" aria-label={`references ${column.references}`} /> : null}
      </span>
      <span className={classes.column}>{column.name}</span>
      <span className={classes.type}>{column.type}{column.maxLength !== null && !column.type.includes('(') ? `(${column.maxLength})` : ''}{column.nullable ? ' ?' : ''}</span>
    </li>
  );
}
