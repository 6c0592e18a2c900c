import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, memo, Suspense, useDeferredValue, useState } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import { reportCount } from '../../ui/formatting/format-number.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import type { PageLocation } from '../shell/pages.js';
import classes from './rows.module.css';
import { TableLink } from './table-link.js';

/** With more tables, only the visible ones are rendered. */
const DRAWN_MAX = 100;

const ManyTableLinks = lazy(() =>
  import('./record/many-table-links.js').then((module) => ({ default: module.ManyTableLinks })),
);

/** Lists the tables, which can be searched. On narrow screens it is a select. */
export function TableSideBar({
  location: pageLocation,
  tables,
  current,
}: {
  location: PageLocation;
  tables: readonly TableView[];
  current: string | undefined;
}) {
  const [typed, setTyped] = useState('');
  const requested = useDeferredValue(typed.trim().toLowerCase());
  const found =
    requested === '' ? tables : tables.filter((table) => table.name.toLowerCase().includes(requested));
  return (
    <nav className={classes.side} aria-label="Tables">
      <TextInput
        size="xs"
        type="search"
        aria-label="Search tables"
        placeholder={`Search ${reportCount(tables.length, 'table')}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TableLinks location={pageLocation} tables={found} current={current} />
      <TableChoice place={pageLocation} tables={tables} current={current} />
    </nav>
  );
}

/** For narrow screens. Memoized, so that its hundreds of options do not rerender while the user types. */
const TableChoice = memo(function TableChoice({
  place: pageLocation,
  tables,
  current,
}: {
  place: PageLocation;
  tables: readonly TableView[];
  current: string | undefined;
}) {
  const navigate = useNavigate();
  return (
    <div className={classes.narrowTables}>
      <NativeSelect
        size="sm"
        aria-label="Table"
        data={tables.map((table) => table.name)}
        value={current ?? ''}
        onChange={(event) =>
          void navigate({
            to: '/projects/$projectId/$environment/data/$table',
            params: { ...pageLocation, table: event.currentTarget.value },
          })
        }
      />
    </div>
  );
});

function TableLinks({
  location: pageLocation,
  tables,
  current,
}: {
  location: PageLocation;
  tables: readonly TableView[];
  current: string | undefined;
}) {
  if (tables.length > DRAWN_MAX)
    return (
      <Suspense fallback={<SkeletonRows rows={12} height={22} />}>
        <ManyTableLinks location={pageLocation} tables={tables} current={current} />
      </Suspense>
    );
  return (
    <div className={classes.tables}>
      {tables.length === 0 ? (
        <p className={classes.none} role="status">
          No matching tables.
        </p>
      ) : (
        <ul>
          {tables.map((table) => (
            <li key={table.name}>
              <TableLink location={pageLocation} table={table} isCurrent={table.name === current} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
