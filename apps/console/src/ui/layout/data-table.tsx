import type { ReactNode } from 'react';
import classes from './data-table.module.css';

export interface DataColumn<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Whether this column's cells name their row. */
  readonly isTitle?: boolean;
  readonly align?: 'end';
  /** Whether only screen readers get the header, as for a column of buttons. */
  readonly quietHeader?: boolean;
}

interface DataTableProps<Row> {
  readonly label: string;
  readonly columns: readonly DataColumn<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row) => string;
}

/**
 * A table that becomes a list of cards on narrow screens. The ARIA roles are set explicitly, because the CSS
 * property `display` would remove them.
 */
export function DataTable<Row>({ label, columns, rows, rowKey }: DataTableProps<Row>) {
  return (
    <div className={classes.frame}>
      <table className={classes.table} role="table" aria-label={label}>
        <thead role="rowgroup">
          <tr role="row">
            {columns.map((column) => (
              <th key={column.header} role="columnheader" scope="col" data-align={column.align}>
                <span className={column.quietHeader === true ? 'rh-spoken' : undefined}>{column.header}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup">
          {rows.map((row) => (
            <tr key={rowKey(row)} role="row">
              {columns.map((column) => (
                <td
                  key={column.header}
                  role={column.isTitle === true ? 'rowheader' : 'cell'}
                  data-label={column.quietHeader === true ? undefined : column.header}
                  data-title={column.isTitle || undefined}
                  data-align={column.align}
                >
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
