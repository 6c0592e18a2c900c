import { useDeferredValue, useState } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import type { PageLocation } from './pages.js';

/** The properties of a list of links to tables. */
export interface TableListProps {
  readonly location: PageLocation;
  readonly tables: readonly TableView[];
  /** The name of the open table. */
  readonly current: string | undefined;
}

/** Searches tables by a part of their name. */
export function useTableSearch(tables: readonly TableView[]) {
  const [typed, setTyped] = useState('');
  const requested = useDeferredValue(typed.trim().toLowerCase());
  const found =
    requested === '' ? tables : tables.filter((table) => table.name.toLowerCase().includes(requested));
  return { typed, setTyped, found };
}
