import { graphlib, layout } from '@dagrejs/dagre';
import type { TableView } from '../../data/schema/read-tables.js';

/** The sizes in a drawing, in pixels at scale 1. */
export const TABLE_WIDTH = 212;
export const HEAD_HEIGHT = 30;
export const ROW_HEIGHT = 20;
const GAP = 44;
const RANK_GAP = 110;
/** The maximum number of columns that are drawn for a table. Only the number of further columns is shown. */
const ROWS_MAX = 14;
/** The maximum number of tables that are ranked exactly, which takes too long for more tables. */
const EXACT_TABLES_MAX = 150;

export interface DiagramRow {
  readonly name: string;
  readonly type: string;
  readonly isKey: boolean;
  readonly isReference: boolean;
}

export interface DiagramTable {
  readonly name: string;
  readonly kind: 'table' | 'view';
  readonly rows: readonly DiagramRow[];
  /** The number of columns that are not drawn. */
  readonly more: number;
  readonly x: number;
  readonly y: number;
  readonly height: number;
}

/** A foreign key: a line from its column to the referenced table. */
export interface DiagramLine {
  readonly from: string;
  readonly to: string;
  readonly column: string;
  readonly path: string;
}

export interface DiagramLayout {
  readonly tables: readonly DiagramTable[];
  readonly lines: readonly DiagramLine[];
  readonly width: number;
  readonly height: number;
}

/**
 * Lays out the tables in layers, with referenced tables on the right. Tables without relationships are placed
 * in rows below.
 */
export function layOutDiagram(tables: readonly TableView[], showsAll: boolean): DiagramLayout {
  const references = listReferences(tables);
  const related = new Set(references.flatMap((reference) => [reference.from, reference.to]));
  const sized = tables.map((table) => ({ table, ...chooseRows(table, showsAll) }));
  const graph = new graphlib.Graph({ multigraph: true });
  graph.setGraph({
    rankdir: 'LR',
    nodesep: GAP,
    ranksep: RANK_GAP,
    ranker: tables.length > EXACT_TABLES_MAX ? 'longest-path' : 'network-simplex',
    marginx: 20,
    marginy: 20,
  });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const entry of sized)
    if (related.has(entry.table.name))
      graph.setNode(entry.table.name, { width: TABLE_WIDTH, height: heightOf(entry) });
  for (const reference of references)
    if (reference.from !== reference.to) graph.setEdge(reference.from, reference.to, {}, reference.column);
  if (graph.nodeCount() > 0) layout(graph);
  const placed = new Map(
    graph
      .nodes()
      .map((name) => [name, graph.node(name) as { x: number; y: number; width: number; height: number }]),
  );
  const drawn: DiagramTable[] = sized
    .filter((entry) => placed.has(entry.table.name))
    .map((entry) => {
      const at = placed.get(entry.table.name) as { x: number; y: number };
      return toTable(entry, at.x - TABLE_WIDTH / 2, at.y - heightOf(entry) / 2);
    });
  drawn.push(
    ...layOutUnrelatedTables(
      sized.filter((entry) => !placed.has(entry.table.name)),
      drawn,
    ),
  );
  const byName = new Map(drawn.map((table) => [table.name, table]));
  return {
    tables: drawn,
    lines: references.flatMap((reference) => {
      const [from, to] = [byName.get(reference.from), byName.get(reference.to)];
      return from === undefined || to === undefined
        ? []
        : [{ ...reference, path: drawLine(from, to, reference.column) }];
    }),
    width: Math.max(0, ...drawn.map((table) => table.x + TABLE_WIDTH)) + 20,
    height: Math.max(0, ...drawn.map((table) => table.y + table.height)) + 20,
  };
}

interface Sized {
  readonly table: TableView;
  readonly rows: readonly DiagramRow[];
  readonly more: number;
}

function listReferences(tables: readonly TableView[]): { from: string; to: string; column: string }[] {
  const names = new Set(tables.map((table) => table.name));
  return tables.flatMap((table) =>
    table.columns.flatMap((column) => {
      const to = column.references?.table ?? '';
      return names.has(to) ? [{ from: table.name, to, column: column.name }] : [];
    }),
  );
}

function chooseRows(table: TableView, showsAll: boolean): Pick<Sized, 'rows' | 'more'> {
  const rows = table.columns.map((column) => ({
    name: column.name,
    type: column.type,
    isKey: table.primaryKey.includes(column.name),
    isReference: column.references !== null,
  }));
  const requested = showsAll ? rows : rows.filter((row) => row.isKey || row.isReference);
  const visible = requested.slice(0, ROWS_MAX);
  return { rows: visible, more: rows.length - visible.length };
}

function heightOf({ rows, more }: Pick<Sized, 'rows' | 'more'>): number {
  return HEAD_HEIGHT + (rows.length + (more > 0 ? 1 : 0)) * ROW_HEIGHT + 6;
}

function toTable(entry: Sized, x: number, y: number): DiagramTable {
  return {
    name: entry.table.name,
    kind: entry.table.kind,
    rows: entry.rows,
    more: entry.more,
    x,
    y,
    height: heightOf(entry),
  };
}

/**
 * Arranges tables without relationships in rows. The rows are about as wide as the layers above, with at
 * least four tables in each.
 */
function layOutUnrelatedTables(alone: readonly Sized[], above: readonly DiagramTable[]): DiagramTable[] {
  const width = Math.max(
    4 * (TABLE_WIDTH + GAP),
    Math.sqrt(alone.length) * (TABLE_WIDTH + GAP),
    ...above.map((table) => table.x + TABLE_WIDTH),
  );
  let [x, y, tallest] = [
    20,
    above.length === 0 ? 20 : Math.max(...above.map((table) => table.y + table.height)) + 60,
    0,
  ];
  return alone.map((entry) => {
    if (x + TABLE_WIDTH > width && x > 20) [x, y, tallest] = [20, y + tallest + GAP, 0];
    const table = toTable(entry, x, y);
    x += TABLE_WIDTH + GAP;
    tallest = Math.max(tallest, table.height);
    return table;
  });
}

/**
 * Returns a line for a foreign key. It starts at the row of the column, on the side that faces the referenced
 * table, and ends at the head of that table.
 */
function drawLine(from: DiagramTable, to: DiagramTable, column: string): string {
  const row = from.rows.findIndex((entry) => entry.name === column);
  const startY = from.y + (row < 0 ? HEAD_HEIGHT / 2 : HEAD_HEIGHT + (row + 0.5) * ROW_HEIGHT);
  const endY = to.y + HEAD_HEIGHT / 2;
  if (from === to) {
    const x = from.x + TABLE_WIDTH;
    return `M${x} ${startY}C${x + 46} ${startY} ${x + 46} ${endY} ${x} ${endY}`;
  }
  const goesRight = to.x >= from.x + TABLE_WIDTH / 2;
  const startX = goesRight ? from.x + TABLE_WIDTH : from.x;
  const endX =
    goesRight && to.x > from.x + TABLE_WIDTH ? to.x : goesRight ? to.x + TABLE_WIDTH : to.x + TABLE_WIDTH;
  const bend = Math.max(40, Math.abs(endX - startX) / 2);
  return `M${startX} ${startY}C${startX + (goesRight ? bend : -bend)} ${startY} ${endX + (endX === to.x ? -bend : bend)} ${endY} ${endX} ${endY}`;
}
