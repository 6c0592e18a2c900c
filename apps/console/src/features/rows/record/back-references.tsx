import type { DatabaseResponse } from '@rowhouse/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { toCellText, type Row } from '../../../data/rows/cell-text.js';
import { countQuery } from '../../../data/rows/queries.js';
import type { TableView } from '../../../data/schema/read-tables.js';
import type { PageLocation } from '../../shell/pages.js';
import { reportCounted } from '../row-count.js';
import classes from './record-sheet.module.css';

/** A foreign key of another table through which its rows reference a record of this table. */
interface BackReference {
  readonly name: string;
  readonly table: string;
  /** The column that references, and the column of this table that it references. */
  readonly column: string;
  readonly target: string;
}

/** Links to the rows that reference this record. Their number is counted when the user asks for it. */
export function BackReferences({
  database,
  location: pageLocation,
  table,
  tables,
  values,
}: {
  database: DatabaseResponse;
  location: PageLocation;
  table: TableView;
  tables: readonly TableView[];
  values: Row;
}) {
  const references = listBackReferences(table, tables);
  if (references.length === 0) return null;
  return (
    <section className={classes.back} aria-label="Referenced by">
      <h3>Referenced by</h3>
      <ul>
        {references.map((reference) => (
          <BackReferenceLine
            key={`${reference.table}.${reference.column}`}
            database={database}
            place={pageLocation}
            target={tables.find((candidate) => candidate.name === reference.table)}
            reference={reference}
            value={toCellText(values[reference.target])}
          />
        ))}
      </ul>
    </section>
  );
}

function BackReferenceLine({
  database,
  place: pageLocation,
  target,
  reference,
  value,
}: {
  database: DatabaseResponse;
  place: PageLocation;
  target: TableView | undefined;
  reference: BackReference;
  value: string;
}) {
  const [isAsked, setAsked] = useState(false);
  const filters = [[reference.column, 'eq', value] as const];
  const count = useQuery({
    ...countQuery(database, target ?? EMPTY, filters, 'exact'),
    enabled: isAsked && target !== undefined,
  });
  return (
    <li>
      <Link
        to="/projects/$projectId/$environment/data/$table"
        params={{ ...pageLocation, table: reference.table }}
        search={{ filters }}
      >
        {reference.table}
      </Link>
      <span className="rh-dim">by {reference.column}</span>
      {count.data === undefined ? (
        <button type="button" className={classes.textButton} onClick={() => setAsked(true)}>
          {count.isFetching ? 'Counting…' : count.isError ? 'Couldn’t count' : 'Count'}
        </button>
      ) : (
        <span>{reportCounted(count.data)}</span>
      )}
    </li>
  );
}

const EMPTY: TableView = {
  name: '',
  path: '',
  kind: 'table',
  primaryKey: [],
  columns: [],
  relationships: [],
};

/** Lists the foreign keys of other tables that reference this table by a single column. */
export function listBackReferences(table: TableView, tables: readonly TableView[]): BackReference[] {
  return table.relationships.flatMap((relationship) => {
    const [column, ...more] = relationship.via;
    if (relationship.kind !== 'to_many' || column === undefined || more.length > 0) return [];
    const references = tables
      .find((target) => target.name === relationship.table)
      ?.columns.find((candidate) => candidate.name === column)?.references;
    return references?.table === table.name
      ? [{ name: relationship.name, table: relationship.table, column, target: references.column }]
      : [];
  });
}
