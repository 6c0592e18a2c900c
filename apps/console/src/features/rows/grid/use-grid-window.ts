import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import {
  findColumnSpan,
  findRowSpan,
  HEADER_HEIGHT,
  PICK_WIDTH,
  revealPart,
  ROW_HEIGHT,
  sumWidths,
  type Span,
} from './grid-geometry.js';
import type { CellPosition } from './cell-position.js';

/** The grid counts as idle when it was not scrolled for this time. */
const REST_MS = 200;

interface GridView {
  readonly rows: Span;
  readonly columns: Span;
  readonly height: number;
  /**
   * The index of the row whose element comes first in the document. Once the grid is idle, it is the first of
   * `rows`.
   */
  readonly first: number;
}

export interface GridWindow extends GridView {
  /** The element that scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** The start of each column, followed by the total width. */
  readonly starts: readonly number[];
  readonly reveal: (cell: CellPosition) => void;
}

/**
 * Returns an estimate of the visible part, as if the grid had the size of the window. It is used until the
 * grid is laid out.
 */
function guessView(starts: readonly number[]): GridView {
  const [width, height] =
    typeof window === 'undefined' ? [1_280, 800] : [window.innerWidth, window.innerHeight];
  return { rows: findRowSpan(0, height), columns: findColumnSpan(0, width, starts), height: 0, first: 0 };
}

/**
 * Returns the visible part of the grid, which the browser scrolls in both directions. The grid is rendered
 * again only when another row or column becomes visible. Elements that left the view are used for the new
 * ones. When scrolling ends, the elements are put back into row order.
 */
export function useGridWindow(widths: readonly number[]): GridWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => sumWidths(widths), [widths]);
  const [view, setView] = useState(() => guessView(starts));
  const latest = useRef(view);
  /**
   * The size of the element. It is read when the element is resized, because reading it while scrolling would
   * force a layout.
   */
  const size = useRef({ width: 0, height: 0 });

  const measure = useCallback(
    (show: (next: GridView) => void) => {
      const element = scroller.current;
      if (element === null) return;
      const { width, height } = size.current;
      const next = {
        rows: findRowSpan(element.scrollTop, height),
        columns: findColumnSpan(element.scrollLeft, width, starts),
        height,
        first: latest.current.first,
      };
      if (isSameView(latest.current, next)) return;
      latest.current = next;
      show(next);
    },
    [starts],
  );
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const resize = (): void => {
      size.current = { width: element.clientWidth, height: element.clientHeight };
      measure(setView);
    };
    // This applies only to a grid that exists already. A new grid reports its size after the first layout.
    // Reading the size earlier would force a layout and render the grid twice.
    if (size.current.height > 0) measure(setView);
    // The new rows are rendered within the frame that scrolled. One frame later, an empty strip would be
    // visible.
    const onScroll = (): void => measure((next) => flushSync(() => setView(next)));
    const sizes = new ResizeObserver(resize);
    element.addEventListener('scroll', onScroll, { passive: true });
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      sizes.disconnect();
    };
  }, [measure]);
  const { from } = view.rows;
  useEffect(() => {
    if (latest.current.first === from) return undefined;
    const timer = setTimeout(() => {
      // The elements are not moved while a cell has the focus, because moving an element in the document
      // removes its focus.
      if (hasFocusWithin(scroller.current)) return;
      latest.current = { ...latest.current, first: from };
      setView(latest.current);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [from]);

  const reveal = useCallback((cell: CellPosition) => scrollTo(scroller.current, cell, starts), [starts]);
  return { ...view, scroller, starts, reveal };
}

/**
 * Scrolls as little as possible until the cell is visible and not covered by the header or the checkboxes.
 */
function scrollTo(
  element: HTMLElement | null,
  { row, column }: CellPosition,
  starts: readonly number[],
): void {
  if (element === null) return;
  element.scrollTop = revealPart(
    element.scrollTop,
    element.clientHeight - HEADER_HEIGHT,
    row * ROW_HEIGHT,
    (row + 1) * ROW_HEIGHT,
  );
  element.scrollLeft = revealPart(
    element.scrollLeft,
    element.clientWidth - PICK_WIDTH,
    starts[column] ?? 0,
    starts[column + 1] ?? 0,
  );
}

function hasFocusWithin(element: HTMLElement | null): boolean {
  const { activeElement } = document;
  return element !== null && activeElement !== element && element.contains(activeElement);
}

function isSameView(gridView: GridView, other: GridView): boolean {
  return (
    gridView.height === other.height &&
    isSameSpan(gridView.rows, other.rows) &&
    isSameSpan(gridView.columns, other.columns)
  );
}

function isSameSpan(span: Span, other: Span): boolean {
  return span.from === other.from && span.to === other.to;
}
