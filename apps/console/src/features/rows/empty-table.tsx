import type { DatabaseResponse } from '@rowhouse/contracts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import { EmptyState } from '../../ui/notices/empty-state.js';
import type { ChangeSearch } from './data-search.js';
import classes from './rows.module.css';
import { SeedButton } from './transfer/seed-button.js';

interface EmptyTableProps {
  readonly database: DatabaseResponse;
  readonly table: TableView;
  readonly isFiltered: boolean;
  /** The button that adds a row. Undefined if the table or the user's role is read-only. */
  readonly addButton: ReactNode;
  readonly onSearch: ChangeSearch;
}

/** Explains why a table shows no rows, and offers what to do next. */
export function EmptyTable({ database, table, isFiltered, addButton, onSearch }: EmptyTableProps) {
  const isReadOnly = addButton === undefined;
  return isFiltered ? (
    <EmptyState
      title="No matching rows"
      action={
        <Button size="xs" variant="default" onClick={() => onSearch({ filters: undefined })}>
          Clear filters
        </Button>
      }
    >
      Remove a filter to see more rows.
    </EmptyState>
  ) : (
    <EmptyState
      title={`No rows in ${table.name} yet`}
      action={
        isReadOnly ? undefined : (
          <div className={classes.emptyActions}>
            {addButton}
            <SeedButton database={database} />
          </div>
        )
      }
    >
      {isReadOnly ? 'Rows appear here once they’re created.' : 'Add a row, import a file, or use the API.'}
    </EmptyState>
  );
}
