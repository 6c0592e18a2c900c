import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { findColumnSpan, findRowSpan, HEADER_HEIGHT, PICK_WIDTH, revealPart, ROW_HEIGHT, sumWidths, type Span } from './grid-geometry.js';
import type { CellPlace } from './move-active.js';

/** So long without a scroll, and the grid is at rest. */
const REST_MS = 200;

interface GridView {
  readonly rows: Span;
  readonly columns: Span;
  readonly height: number;
  /** The row that stands first in the document: the first of `rows` once the grid is at rest. */
  readonly first: number;
}

export interface GridWindow extends GridView {
  /** What scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** Where each column begins, and at the end how wide all are. */
  readonly starts: readonly number[];
  readonly reveal: (place: CellPlace) => void;
}

/** As much as the window could show, until the grid is laid out and tells its size. */
function guessView(starts: readonly number[]): GridView {
  const [width, height] = typeof window === 'undefined' ? [1_280, 800] : [window.innerWidth, window.innerHeight];
  return { rows: findRowSpan(0, height), columns: findColumnSpan(0, width, starts), height: 0, first: 0 };
}

/**
 * What of the grid is in view. The browser alone scrolls, both ways; something is drawn anew only when another row or column
 * comes in, by the elements of those that went out. These are put into the order of the rows again when scrolling has ended.
 */
export function useGridWindow(widths: readonly number[]): GridWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => sumWidths(widths), [widths]);
  const [view, setView] = useState(() => guessView(starts));
  const latest = useRef(view);
  /** Asked of the element when it changes: asking while it scrolls would lay the page out. */
  const size = useRef({ width: 0, height: 0 });

  const measure = useCallback((show: (next: GridView) => void) => {
    const element = scroller.current;
    if (element === null) return;
    const { width, height } = size.current;
    const next = { rows: findRowSpan(element.scrollTop, height), columns: findColumnSpan(element.scrollLeft, width, starts), height, first: latest.current.first };
    if (isSameView(latest.current, next)) return;
    latest.current = next;
    show(next);
  }, [starts]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    const resize = (): void => {
      size.current = { width: element.clientWidth, height: element.clientHeight };
      measure(setView);
    };
    // Of a grid that is there already. One that is just put on the page tells its size when the browser has laid it out: asked before, all would be laid out at once, and drawn once more.
    if (size.current.height > 0) measure(setView);
    // Within the frame that has scrolled: a frame later, an empty strip would have been seen.
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
      // What is moved within the document loses the focus: a cell that is edited stays where it is.
      if (hasFocusWithin(scroller.current)) return;
      latest.current = { ...latest.current, first: from };
      setView(latest.current);
    }, REST_MS);
    return () => clearTimeout(timer);
  }, [from]);

  const reveal = useCallback(({ row, column }: CellPlace) => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = revealPart(element.scrollTop, element.clientHeight - HEADER_HEIGHT, row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT);
    element.scrollLeft = revealPart(element.scrollLeft, element.clientWidth - PICK_WIDTH, starts[column] ?? 0, starts[column + 1] ?? 0);
  }, [starts]);
  return { ...view, scroller, starts, reveal };
}

function hasFocusWithin(element: HTMLElement | null): boolean {
  const { activeElement } = document;
  return element !== null && activeElement !== element && element.contains(activeElement);
}

function isSameView(one: GridView, other: GridView): boolean {
  return one.height === other.height && isSameSpan(one.rows, other.rows) && isSameSpan(one.columns, other.columns);
}

function isSameSpan(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}
