import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import { toCellText } from '../../../data/rows/cell-text.js';
import type { QueryResponse } from '../../../data/query-runs/run-query.js';
import classes from '../query.module.css';

const LINE_HEIGHT = 31;
const DRAWN_MAX = 300;

/** Shows the rows of a result. Only the visible rows are rendered. */
export function ResultTable({ response }: { response: Pick<QueryResponse, 'columns' | 'data'> }) {
  const frame = useRef<HTMLDivElement>(null);
  const items = useVirtualizer({
    count: response.data.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINE_HEIGHT,
    overscan: 12,
    scrollMargin: LINE_HEIGHT,
  });
  // Columns of numbers get less of the remaining width, because numbers are short and right-aligned.
  const columns = response.columns
    .map(
      (column) =>
        `minmax(${Math.min(320, Math.max(110, column.name.length * 9 + 24))}px, ${isNumberType(column.type) ? 0.4 : 1}fr)`,
    )
    .join(' ');
  return (
    <div ref={frame} className={classes.table} tabIndex={0} role="region" aria-label="Rows">
      <div
        className={classes.grid}
        role="table"
        aria-label="Result"
        aria-rowcount={response.data.length + 1}
        style={{ ['--result-columns' as string]: columns }}
      >
        <div role="rowgroup" className={classes.head}>
          <div role="row" className={classes.line}>
            {response.columns.map((column) => (
              <span
                key={column.name}
                role="columnheader"
                title={column.type}
                data-align={isNumberType(column.type) ? 'end' : undefined}
              >
                {column.name}
              </span>
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: items.getTotalSize() }}>
          {items.getVirtualItems().map((item) => (
            <div
              key={item.key}
              role="row"
              aria-rowindex={item.index + 2}
              className={classes.line}
              style={{ transform: `translateY(${item.start - LINE_HEIGHT}px)`, height: LINE_HEIGHT }}
            >
              {response.columns.map((column, index) => (
                <ResultCell key={column.name} type={column.type} value={response.data[item.index]?.[index]} />
              ))}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
}

function ResultCell({ type, value }: { type: string; value: unknown }) {
  const text = toCellText(value);
  const isNumber = isNumberType(type);
  return (
    <span
      role="cell"
      data-align={isNumber ? 'end' : undefined}
      title={text.length > 40 ? text.slice(0, 1_000) : undefined}
    >
      {value === null || value === undefined ? (
        <span className={classes.quiet}>NULL</span>
      ) : (
        text.slice(0, DRAWN_MAX)
      )}
    </span>
  );
}

function isNumberType(type: string): boolean {
  return /int|dec|num|float|double|real|year|bit/i.test(type) && !/point/i.test(type);
}
