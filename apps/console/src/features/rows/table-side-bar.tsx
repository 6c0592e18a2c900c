import { NativeSelect, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { lazy, memo, Suspense } from 'react';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { SkeletonRows } from '../../ui/loading/skeleton.js';
import { useTableSearch, type TableListProps } from '../shell/use-table-search.js';
import classes from './rows.module.css';
import { TableLink } from './table-link.js';

/**
 * The maximum number of tables for which all links are rendered. With more tables, only the visible links are
 * rendered.
 */
const DRAWN_MAX = 100;

const ManyTableLinks = lazy(() =>
  import('./record/many-table-links.js').then((module) => ({ default: module.ManyTableLinks })),
);

/** Lists the tables and lets the user search them. On a narrow screen, it is a select element. */
export function TableSideBar({ location, tables, current }: TableListProps) {
  const { typed, setTyped, found } = useTableSearch(tables);
  return (
    <nav className={classes.side} aria-label="Tables">
      <TextInput
        size="xs"
        type="search"
        aria-label="Search tables"
        placeholder={`Search ${formatCountOf(tables.length, 'table')}`}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
      <TableLinks location={location} tables={found} current={current} />
      <TableChoice location={location} tables={tables} current={current} />
    </nav>
  );
}

/**
 * The select element for narrow screens. It is memoized, because its hundreds of options would otherwise be
 * rendered again with each typed character.
 */
const TableChoice = memo(function TableChoice({ location, tables, current }: TableListProps) {
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
            params: { ...location, table: event.currentTarget.value },
          })
        }
      />
    </div>
  );
});

function TableLinks({ location, tables, current }: TableListProps) {
  if (tables.length > DRAWN_MAX)
    return (
      <Suspense fallback={<SkeletonRows rows={12} height={22} />}>
        <ManyTableLinks location={location} tables={tables} current={current} />
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
              <TableLink location={location} table={table} isCurrent={table.name === current} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
