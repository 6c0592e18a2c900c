import { NativeSelect, TextInput } from '@mantine/core';
import { IconEye, IconTable } from '@tabler/icons-react';
import { Link, useNavigate } from '@tanstack/react-router';
import { useVirtualizer } from '@tanstack/react-virtual';
import { memo, useDeferredValue, useRef, useState } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import type { Place } from '../shell/rooms.js';
import classes from './rows.module.css';

const LINK_HEIGHT = 31;

/** The tables to choose from: any number of them, found by typing. A choice list on narrow screens. */
export function TableSideBar({ place, tables, current }: { place: Place; tables: readonly TableView[]; current: string | undefined }) {
  const [typed, setTyped] = useState('');
  const wanted = useDeferredValue(typed.trim().toLowerCase());
  const found = wanted === '' ? tables : tables.filter((table) => table.name.toLowerCase().includes(wanted));
  return (
    <nav className={classes.side} aria-label="Tables">
      <TextInput size="xs" type="search" aria-label="Search tables" placeholder={`Search ${tables.length} ${tables.length === 1 ? 'table' : 'tables'}`} value={typed} onChange={(event) => setTyped(event.currentTarget.value)} />
      <TableLinks place={place} tables={found} current={current} />
      <TableChoice place={place} tables={tables} current={current} />
    </nav>
  );
}

/** For narrow screens. Its hundreds of options stay as they are while somebody types. */
const TableChoice = memo(function TableChoice({ place, tables, current }: { place: Place; tables: readonly TableView[]; current: string | undefined }) {
  const navigate = useNavigate();
  return (
    <div className={classes.narrowTables}>
      <NativeSelect size="sm" aria-label="Table" data={tables.map((table) => table.name)} value={current ?? ''} onChange={(event) => void navigate({ to: '/projects/$projectId/$environment/data/$table', params: { ...place, table: event.currentTarget.value } })} />
    </div>
  );
});

function TableLinks({ place, tables, current }: { place: Place; tables: readonly TableView[]; current: string | undefined }) {
  const frame = useRef<HTMLDivElement>(null);
  const items = useVirtualizer({ count: tables.length, getScrollElement: () => frame.current, estimateSize: () => LINK_HEIGHT, overscan: 6, initialRect: { width: 200, height: 600 } });
  return (
    <div className={classes.tables} ref={frame}>
      {tables.length === 0 ? <p className={classes.none} role="status">None is called so.</p> : (
        <ul style={{ height: items.getTotalSize() }}>
          {items.getVirtualItems().map(({ index, start }) => {
            const table = tables[index];
            return table === undefined ? null : (
              <li key={table.name} style={{ transform: `translateY(${start}px)` }}>
                <Link to="/projects/$projectId/$environment/data/$table" params={{ ...place, table: table.name }} className={classes.tableLink} aria-current={table.name === current ? 'page' : undefined}>
                  {table.kind === 'view' ? <IconEye size={15} role="img" aria-label="view" /> : <IconTable size={15} aria-hidden />}
                  <span>{table.name}</span>
                </Link>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
