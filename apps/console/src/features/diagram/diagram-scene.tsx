import { memo, type KeyboardEvent, type Ref } from 'react';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import type { TableMark } from '../schema/deploy/compare-view.js';
import classes from './diagram.module.css';
import {
  HEAD_HEIGHT,
  ROW_HEIGHT,
  TABLE_WIDTH,
  type DiagramLayout,
  type DiagramTable,
} from './lay-out-diagram.js';
import type { Viewport } from './use-viewport.js';

const NAME_CHARACTERS_MAX = 24;

interface DiagramSceneProps {
  readonly ref: Ref<SVGSVGElement>;
  readonly layout: DiagramLayout;
  readonly viewport: Viewport;
  readonly marks: ReadonlyMap<string, TableMark>;
  /** The name of the found table. This table and its relationships are highlighted. */
  readonly found: string | null;
  readonly onOpen: (table: string) => void;
  readonly onFocusTable: (table: DiagramTable) => void;
}

export function DiagramScene({
  ref,
  layout,
  viewport,
  marks,
  found,
  onOpen,
  onFocusTable,
}: DiagramSceneProps) {
  return (
    <svg ref={ref} className={classes.drawing} width="100%" height="100%">
      <defs>
        <marker
          id="diagram-head"
          viewBox="0 0 8 8"
          refX="8"
          refY="4"
          markerWidth="8"
          markerHeight="8"
          orient="auto-start-reverse"
        >
          <path className={classes.arrow} d="M0 0.5 8 4 0 7.5Z" />
        </marker>
      </defs>
      <g data-scene transform={`translate(${viewport.x} ${viewport.y}) scale(${viewport.scale})`}>
        <Lines layout={layout} found={found} />
        {layout.tables.map((table) => (
          <TableBox
            key={table.name}
            table={table}
            mark={marks.get(table.name)}
            isFound={table.name === found}
            describes={describe(table, layout)}
            onOpen={onOpen}
            onFocusTable={onFocusTable}
          />
        ))}
      </g>
    </svg>
  );
}

const Lines = memo(function Lines({ layout, found }: { layout: DiagramLayout; found: string | null }) {
  return (
    <g aria-hidden="true">
      {layout.lines.map((line) => (
        <path
          key={`${line.from}.${line.column}`}
          className={classes.line}
          d={line.path}
          data-found={(found !== null && (line.from === found || line.to === found)) || undefined}
          markerEnd="url(#diagram-head)"
        />
      ))}
    </g>
  );
});

function describe(table: DiagramTable, layout: DiagramLayout): string {
  const out = layout.lines.filter((line) => line.from === table.name).map((line) => line.to);
  const into = layout.lines.filter((line) => line.to === table.name).map((line) => line.from);
  return [
    `${table.name}, ${table.rows.length + table.more} columns`,
    ...(out.length > 0 ? [`references ${[...new Set(out)].join(', ')}`] : []),
    ...(into.length > 0 ? [`referenced by ${[...new Set(into)].join(', ')}`] : []),
  ].join('; ');
}

interface TableBoxProps {
  readonly table: DiagramTable;
  readonly mark: TableMark | undefined;
  readonly isFound: boolean;
  readonly describes: string;
  readonly onOpen: (table: string) => void;
  readonly onFocusTable: (table: DiagramTable) => void;
}

function TableBox({ table, mark, isFound, describes, onOpen, onFocusTable }: TableBoxProps) {
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' && event.key !== ' ') return;
    event.preventDefault();
    onOpen(table.name);
  };
  return (
    <g
      className={classes.table}
      transform={`translate(${table.x} ${table.y})`}
      data-found={isFound || undefined}
      data-mark={mark}
      data-view={table.kind === 'view' || undefined}
    >
      <rect className={classes.box} width={TABLE_WIDTH} height={table.height} rx="8" />
      <path
        className={classes.head}
        d={`M0 8a8 8 0 0 1 8-8h${TABLE_WIDTH - 16}a8 8 0 0 1 8 8v${HEAD_HEIGHT - 8}H0Z`}
      />
      <text className={classes.title} x="11" y="20">
        {shorten(table.name, NAME_CHARACTERS_MAX)}
      </text>
      {table.rows.map((row, index) => (
        <g key={row.name}>
          <text
            className={classes.name}
            x="11"
            y={HEAD_HEIGHT + index * ROW_HEIGHT + 16}
            data-key={row.isKey || undefined}
            data-reference={row.isReference || undefined}
          >
            {shorten(row.name, 18)}
          </text>
          <text
            className={classes.type}
            x={TABLE_WIDTH - 10}
            y={HEAD_HEIGHT + index * ROW_HEIGHT + 16}
            textAnchor="end"
          >
            {shorten(row.type, row.name.length > 12 ? 9 : 14)}
          </text>
        </g>
      ))}
      {table.more > 0 ? (
        <text className={classes.type} x="11" y={HEAD_HEIGHT + table.rows.length * ROW_HEIGHT + 16}>
          {formatCountOf(table.more, 'more column')}
        </text>
      ) : null}
      <rect
        className={classes.hit}
        width={TABLE_WIDTH}
        height={table.height}
        rx="8"
        role="button"
        tabIndex={0}
        aria-label={describes}
        onDoubleClick={() => onOpen(table.name)}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          if (event.currentTarget.matches(':focus-visible')) onFocusTable(table);
        }}
      />
    </g>
  );
}

function shorten(text: string, charactersMax: number): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax - 1)}…` : text;
}
