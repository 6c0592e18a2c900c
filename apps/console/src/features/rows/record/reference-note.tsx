import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { DatabaseResponse } from '@rowhouse/contracts';
import { useDeferredValue, useState } from 'react';
import { readGateway } from '../../../data/gateway/call-gateway.js';
import { toCellText, type Row } from '../../../data/rows/cell-text.js';
import { kindOf } from '../../../data/rows/column-kinds.js';
import { makeListPath } from '../../../data/rows/make-list-path.js';
import { rowKeys } from '../../../data/rows/queries.js';
import type { ColumnView, TableView } from '../../../data/schema/read-tables.js';
import type { PageLocation } from '../../shell/pages.js';
import classes from './record-sheet.module.css';

const FOUND_MAX = 8;
const NAMES = ['name', 'title', 'username', 'label', 'email', 'slug', 'code'];

interface ReferenceNoteProps {
  readonly database: DatabaseResponse;
  readonly location: PageLocation;
  readonly column: ColumnView;
  readonly tables: readonly TableView[];
  readonly value: string | null | undefined;
  readonly isReadOnly: boolean;
  readonly onPick: (value: string) => void;
}

/**
 * The note below a foreign key field. It shows the referenced record, a link to it, and a search for another
 * record.
 */
export function ReferenceNote({
  database,
  location: pageLocation,
  column,
  tables,
  value,
  isReadOnly,
  onPick,
}: ReferenceNoteProps) {
  const { table: tableName, column: target } = column.references ?? { table: '', column: '' };
  const table = tables.find((candidate) => candidate.name === tableName);
  const [typed, setTyped] = useState<string | null>(null);
  const requested = useDeferredValue(typed ?? '');
  const label = table === undefined ? undefined : findLabelColumn(table);
  const select = [target, ...(label === undefined || label === target ? [] : [label])];
  const pointed = useQuery(
    lookupQuery(
      database,
      table,
      select,
      [[target, 'eq', value ?? '']],
      value !== null && value !== undefined && value !== '',
    ),
  );
  const found = useQuery(
    lookupQuery(
      database,
      table,
      select,
      requested === ''
        ? []
        : [[label ?? target, label === undefined || label === target ? 'eq' : 'icontains', requested]],
      typed !== null,
    ),
  );
  if (table === undefined) return null;
  const labelOf = (row: Row): string => (label === undefined ? '' : toCellText(row[label]));
  const item = pointed.data?.[0];
  return (
    <>
      <div className={classes.note}>
        {value ? (
          <span>
            {pointed.isPending ? (
              '…'
            ) : item ? (
              <>
                {labelOf(item) === '' ? 'A row' : <strong>{labelOf(item)}</strong>} in {table.name}
              </>
            ) : (
              `No such row in ${table.name}`
            )}
          </span>
        ) : (
          <span>References {table.name}</span>
        )}
        {value ? (
          <Link
            to="/projects/$projectId/$environment/data/$table"
            params={{ ...pageLocation, table: table.name }}
            search={{ filters: [[target, 'eq', value]] }}
          >
            Open
          </Link>
        ) : null}
        {isReadOnly || typed !== null ? null : (
          <button type="button" onClick={() => setTyped('')} className={classes.textButton}>
            Choose a row
          </button>
        )}
      </div>
      {typed === null ? null : (
        <div>
          <input
            className={classes.search}
            type="search"
            aria-label={`Search ${table.name}`}
            placeholder={`Search ${table.name} by ${label ?? target}`}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            autoFocus
            autoComplete="off"
            onKeyDown={(event) => {
              if (event.key === 'Escape') {
                event.stopPropagation();
                setTyped(null);
              }
            }}
          />
          <ul className={classes.found} aria-label={`Rows of ${table.name}`}>
            {(found.data ?? []).map((row) => (
              <li key={toCellText(row[target])}>
                <button
                  type="button"
                  onClick={() => {
                    onPick(toCellText(row[target]));
                    setTyped(null);
                  }}
                >
                  <code>{toCellText(row[target])}</code> <span>{labelOf(row)}</span>
                </button>
              </li>
            ))}
            {found.data?.length === 0 ? <li className={classes.note}>No matching rows.</li> : null}
            {found.isError ? <li className={classes.fault}>{found.error.message}</li> : null}
          </ul>
        </div>
      )}
    </>
  );
}

/** Returns the name of a column with which a reader can recognize a row, such as its title. */
function findLabelColumn(table: TableView): string | undefined {
  const texts = table.columns.filter((column) => kindOf(column) === 'text');
  return (
    NAMES.find((name) => texts.some((column) => column.name === name)) ??
    texts.find((column) => column.valueKind === 'string')?.name
  );
}

function lookupQuery(
  database: DatabaseResponse,
  table: TableView | undefined,
  select: readonly string[],
  filters: readonly (readonly [string, string, string])[],
  isWanted: boolean,
) {
  const path =
    table === undefined
      ? ''
      : makeListPath(table, { filters, sort: undefined, select }, [['limit', String(FOUND_MAX)]]);
  return {
    queryKey: rowKeys.list(database.id, table?.name ?? '', `lookup ${path}`),
    queryFn: async ({ signal }: { signal: AbortSignal }): Promise<readonly Row[]> =>
      (await readGateway<Row[]>(database, { path, headers: { Prefer: 'numbers=string' }, signal })).body,
    enabled: isWanted && table !== undefined,
    staleTime: 15_000,
    retry: false,
  };
}
