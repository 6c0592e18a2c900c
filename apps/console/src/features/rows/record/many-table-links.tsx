import { useVirtualizer } from '@tanstack/react-virtual';
import { useRef } from 'react';
import type { TableListProps } from '../../shell/use-table-search.js';
import classes from '../rows.module.css';
import { TableLink } from '../table-link.js';

const LINK_HEIGHT = 31;

/** Lists the tables of a large schema. Only the links in the visible part of the list are rendered. */
export function ManyTableLinks({ location, tables, current }: TableListProps) {
  const frame = useRef<HTMLDivElement>(null);
  const items = useVirtualizer({
    count: tables.length,
    getScrollElement: () => frame.current,
    estimateSize: () => LINK_HEIGHT,
    overscan: 6,
    initialRect: { width: 200, height: 600 },
  });
  return (
    <div className={classes.tables} ref={frame}>
      <ul className={classes.placed} style={{ height: items.getTotalSize() }}>
        {items.getVirtualItems().map(({ index, start }) => {
          const table = tables[index];
          return table === undefined ? null : (
            <li key={table.name} style={{ transform: `translateY(${start}px)` }}>
              <TableLink location={location} table={table} isCurrent={table.name === current} />
            </li>
          );
        })}
      </ul>
    </div>
  );
}
