import { useEffect } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import { useKept } from '../../ui/use-kept.js';

type PutColumns = (names: readonly string[] | null, replaces: boolean) => void;

/**
 * Which columns of a table are shown, and in which order; undefined: all of them. The address says it; where it says nothing,
 * they are as they were left in this browser, and the address is made to say so: what is copied from it shows the same.
 */
export function useKeptColumns(databaseId: string, table: Pick<TableView, 'name' | 'columns'>, inAddress: readonly string[] | undefined, putInAddress: PutColumns): readonly [readonly string[] | undefined, (names: readonly string[] | null) => void] {
  const [kept, setKept] = useKept<readonly string[] | null>(`rowhouse-columns-${databaseId}-${table.name}`, null);
  const known = pickKnown(kept, table);
  const isMissing = inAddress === undefined && known !== undefined;
  useEffect(() => {
    if (isMissing) putInAddress(known, true);
  }, [isMissing]);
  const choose = (names: readonly string[] | null): void => {
    setKept(names);
    putInAddress(names, true);
  };
  return [inAddress ?? known, choose];
}

/** What was kept may name columns that are gone since; the order and the choice of the others hold. */
export function pickKnown(kept: readonly string[] | null, { columns }: Pick<TableView, 'columns'>): readonly string[] | undefined {
  const names: readonly string[] = Array.isArray(kept) ? (kept as readonly string[]) : [];
  const known = names.filter((name) => columns.some((column) => column.name === name));
  return known.length === 0 ? undefined : known;
}
