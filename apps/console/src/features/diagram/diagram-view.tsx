import { ActionIcon, Button, TextInput } from '@mantine/core';
import { IconDownload, IconFocusCentered, IconMinus, IconPlus, IconSearch } from '@tabler/icons-react';
import { useMemo, useRef, useState, type FormEvent } from 'react';
import type { TableView } from '../../data/schema/read-tables.js';
import { formatCountOf } from '../../ui/formatting/format-number.js';
import { saveFile } from '../../ui/code/save-file.js';
import { Segments } from '../../ui/controls/segments.js';
import type { TableMark } from '../schema/deploy/compare-view.js';
import { DiagramScene } from './diagram-scene.js';
import classes from './diagram.module.css';
import { layOutDiagram, TABLE_WIDTH } from './lay-out-diagram.js';
import { useViewport } from './use-viewport.js';

const COPIED: readonly string[] = [
  'fill',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'font-family',
  'font-size',
  'font-weight',
  'text-decoration',
];

/**
 * The maximum number of tables for a drawing with all columns. With more tables, such a drawing is
 * unreadable.
 */
const ALL_COLUMNS_TABLES_MAX = 40;

interface DiagramViewProps {
  readonly tables: readonly TableView[];
  readonly marks: ReadonlyMap<string, TableMark>;
  readonly chosen: string | undefined;
  readonly fileName: string;
  readonly onOpen: (table: string) => void;
}

/** Draws the draft as a diagram: tables in layers, and a line for each foreign key. */
export function DiagramView({ tables, marks, chosen, fileName, onOpen }: DiagramViewProps) {
  const [showsAll, setShowsAll] = useState(tables.length <= ALL_COLUMNS_TABLES_MAX);
  const layout = useMemo(() => layOutDiagram(tables, showsAll), [tables, showsAll]);
  const frame = useRef<HTMLDivElement>(null);
  const drawing = useRef<SVGSVGElement>(null);
  const { viewport, zoomAt, fit, centre, handlers } = useViewport(frame, layout);
  const [found, setFound] = useState<string | null>(chosen ?? null);
  const [typed, setTyped] = useState('');
  const find = (event: FormEvent): void => {
    event.preventDefault();
    const requested = typed.trim().toLowerCase();
    const table =
      layout.tables.find((entry) => entry.name.toLowerCase() === requested) ??
      layout.tables.find((entry) => entry.name.toLowerCase().includes(requested));
    setFound(table?.name ?? null);
    if (table !== undefined && requested !== '')
      centre(table.x + TABLE_WIDTH / 2, table.y + table.height / 2);
  };
  const save = (): void => {
    if (drawing.current !== null)
      saveFile(new Blob([exportSvg(drawing.current, layout)], { type: 'image/svg+xml' }), `${fileName}.svg`);
  };
  return (
    <section className={classes.view} aria-label="Diagram">
      <div className={classes.tools}>
        <form onSubmit={find} role="search" className={classes.find}>
          <TextInput
            size="xs"
            type="search"
            aria-label="Find a table in the diagram"
            placeholder="Find a table"
            leftSection={<IconSearch size={14} />}
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
            list="diagram-tables"
          />
          <datalist id="diagram-tables">
            {tables.map((table) => (
              <option key={table.name} value={table.name} />
            ))}
          </datalist>
          <Button type="submit" size="xs" variant="default">
            Find
          </Button>
        </form>
        <Segments
          aria-label="Columns shown"
          data={[
            { value: 'all', label: 'All columns' },
            { value: 'keys', label: 'Keys' },
          ]}
          value={showsAll ? 'all' : 'keys'}
          onChange={(value) => setShowsAll(value === 'all')}
        />
        <span className={classes.zoom}>
          <ActionIcon variant="default" aria-label="Zoom out" onClick={() => zoomAt(0.8)}>
            <IconMinus size={15} />
          </ActionIcon>
          <span className={classes.scale} role="status" aria-label="Zoom">
            {Math.round(viewport.scale * 100)} %
          </span>
          <ActionIcon variant="default" aria-label="Zoom in" onClick={() => zoomAt(1.25)}>
            <IconPlus size={15} />
          </ActionIcon>
          <ActionIcon variant="default" aria-label="Show all" onClick={fit}>
            <IconFocusCentered size={15} />
          </ActionIcon>
        </span>
        <Button size="xs" variant="default" leftSection={<IconDownload size={14} />} onClick={save}>
          Export SVG
        </Button>
      </div>
      <div
        ref={frame}
        className={classes.frame}
        tabIndex={0}
        role="group"
        aria-label="Diagram of the draft. Use the arrow keys to move, plus and minus to zoom, 0 to show all, and Tab to go through the tables."
        {...handlers}
      >
        <DiagramScene
          ref={drawing}
          layout={layout}
          viewport={viewport}
          marks={marks}
          found={found}
          onOpen={onOpen}
          onFocusTable={(table) => centre(table.x + TABLE_WIDTH / 2, table.y + table.height / 2)}
        />
      </div>
      <p className={classes.legend}>
        Each line connects a column to the table it references. {formatCountOf(tables.length, 'table')},{' '}
        {formatCountOf(layout.lines.length, 'relation')}.
      </p>
    </section>
  );
}

/**
 * Returns the whole diagram as an SVG file. It contains all colors and fonts, so that it does not depend on
 * the page's styles.
 */
function exportSvg(
  drawing: SVGSVGElement,
  size: { readonly width: number; readonly height: number },
): string {
  const copy = drawing.cloneNode(true) as SVGSVGElement;
  const [from, to] = [
    [drawing, ...drawing.querySelectorAll('*')],
    [copy, ...copy.querySelectorAll('*')],
  ];
  from.forEach((element, index) => {
    const style = getComputedStyle(element);
    const target = to[index];
    if (target === undefined) return;
    target.removeAttribute('class');
    for (const name of COPIED)
      if (style.getPropertyValue(name) !== '') target.setAttribute(name, style.getPropertyValue(name));
    for (const name of ['tabindex', 'role', 'aria-label', 'aria-hidden', 'style'])
      target.removeAttribute(name);
  });
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg');
  copy.setAttribute('viewBox', `0 0 ${size.width} ${size.height}`);
  copy.setAttribute('width', String(size.width));
  copy.setAttribute('height', String(size.height));
  copy.querySelector('[data-scene]')?.removeAttribute('transform');
  return `<?xml version="1.0" encoding="UTF-8"?>\n${new XMLSerializer().serializeToString(copy)}`;
}
