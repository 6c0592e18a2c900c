import { useCallback, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react';
import { flushSync } from 'react-dom';
import { findColumnSpan, findRowSpan, HEADER_HEIGHT, PICK_WIDTH, revealPart, ROW_HEIGHT, sumWidths, type Span } from './grid-geometry.js';
import type { CellPlace } from './move-active.js';
import classes from './rows.module.css';

interface GridView {
  readonly rows: Span;
  readonly columns: Span;
  readonly width: number;
  readonly height: number;
}

export interface GridWindow extends GridView {
  /** What scrolls. */
  readonly scroller: RefObject<HTMLDivElement | null>;
  /** What is drawn upon: it moves up and down with the rows, and stays where it is sideways. */
  readonly pane: RefObject<HTMLDivElement | null>;
  /** Where each column begins, and at the end how wide all are. */
  readonly starts: readonly number[];
  readonly reveal: (place: CellPlace) => void;
}

const UNMEASURED: GridView = { rows: findRowSpan(0, 800), columns: { from: 0, to: 8 }, width: 0, height: 0 };

/**
 * What of the grid is in view. Scrolling draws anew only when another row or column comes in; sideways the cells of all rows
 * are moved by a transform, so that the boxes before them need no layer of their own to stand still.
 */
export function useGridWindow(widths: readonly number[]): GridWindow {
  const scroller = useRef<HTMLDivElement>(null);
  const pane = useRef<HTMLDivElement>(null);
  const starts = useMemo(() => sumWidths(widths), [widths]);
  const [view, setView] = useState(UNMEASURED);
  const latest = useRef(view);
  const left = useRef(0);

  const measure = useCallback((show: (next: GridView) => void) => {
    const element = scroller.current;
    if (element === null) return;
    const { scrollTop, scrollLeft, clientWidth: width, clientHeight: height } = element;
    if (left.current !== scrollLeft) {
      left.current = scrollLeft;
      shiftCells(pane.current, scrollLeft);
    }
    const next = { rows: findRowSpan(scrollTop, height), columns: findColumnSpan(scrollLeft, width, starts), width, height };
    if (isSameView(latest.current, next)) return;
    latest.current = next;
    show(next);
  }, [starts]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    measure(setView);
    // Within the frame that has scrolled: a frame later, an empty strip would have been seen.
    const onScroll = (): void => measure((next) => flushSync(() => setView(next)));
    const sizes = new ResizeObserver(() => measure(setView));
    element.addEventListener('scroll', onScroll, { passive: true });
    sizes.observe(element);
    return () => {
      element.removeEventListener('scroll', onScroll);
      sizes.disconnect();
    };
  }, [measure]);
  // Rows that came in stand where the others do.
  useLayoutEffect(() => shiftCells(pane.current, left.current));

  const reveal = useCallback(({ row, column }: CellPlace) => {
    const element = scroller.current;
    if (element === null) return;
    element.scrollTop = revealPart(element.scrollTop, element.clientHeight - HEADER_HEIGHT, row * ROW_HEIGHT, (row + 1) * ROW_HEIGHT);
    element.scrollLeft = revealPart(element.scrollLeft, element.clientWidth - PICK_WIDTH, starts[column] ?? 0, starts[column + 1] ?? 0);
  }, [starts]);
  return { ...view, scroller, pane, starts, reveal };
}

function shiftCells(pane: HTMLDivElement | null, left: number): void {
  for (const cells of pane?.getElementsByClassName(classes.cells ?? '') ?? []) (cells as HTMLElement).style.transform = left === 0 ? '' : `translateX(${-left}px)`;
}

function isSameView(one: GridView, other: GridView): boolean {
  return one.width === other.width && one.height === other.height && isSameSpan(one.rows, other.rows) && isSameSpan(one.columns, other.columns);
}

function isSameSpan(one: Span, other: Span): boolean {
  return one.from === other.from && one.to === other.to;
}
