import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './filter-bar.module.css';

/** Fields that filter a list, and a button to clear them. */
export function FilterBar({
  label,
  isFiltered,
  onClear,
  children,
}: {
  label: string;
  isFiltered: boolean;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <form
      role="search"
      aria-label={label}
      className={classes.bar}
      onSubmit={(event) => event.preventDefault()}
    >
      {children}
      {isFiltered ? (
        <Button type="button" variant="subtle" size="xs" onClick={onClear}>
          Clear filters
        </Button>
      ) : null}
    </form>
  );
}
