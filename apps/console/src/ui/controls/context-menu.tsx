import { useEffect, useLayoutEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { CloseContext, focusFirst, moveFocus, useCloseOutside } from './dropdown.js';
import classes from './dropdown.module.css';

/** A position in the window, in pixels. */
export interface MenuPoint {
  readonly x: number;
  readonly y: number;
}

interface ContextMenuProps {
  readonly label: string;
  readonly point: MenuPoint;
  /** Called when the menu closes. `restoresFocus` is false if the user pressed a pointer elsewhere. */
  readonly onClose: (restoresFocus: boolean) => void;
  readonly children: ReactNode;
}

/** The minimum distance between the menu and the edges of the window, in pixels. */
const MARGIN = 8;

/**
 * A menu at a position of the window. Arrow keys move, and Escape closes it. The items are the same as in a
 * dropdown.
 */
export function ContextMenu({ label, point, onClose, children }: ContextMenuProps) {
  const menu = useRef<HTMLDivElement>(null);
  useCloseOutside(menu, true, () => onClose(false));
  useCloseOnScroll(menu, () => onClose(true));
  useLayoutEffect(() => {
    const element = menu.current;
    if (element === null) return;
    const { width, height } = element.getBoundingClientRect();
    element.style.left = `${fit(point.x, width, window.innerWidth)}px`;
    element.style.top = `${fit(point.y, height, window.innerHeight)}px`;
    focusFirst(element);
  }, [point]);
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    if (event.key === 'Escape' || event.key === 'Tab') onClose(true);
    else if (!moveFocus(menu.current, event.key)) return;
    event.preventDefault();
  };
  return (
    <CloseContext value={() => onClose(true)}>
      <div
        ref={menu}
        className={classes.menu}
        data-floating
        role="menu"
        tabIndex={-1}
        aria-label={label}
        onKeyDown={onKeyDown}
        // The key that opened this menu also requests the menu of the browser.
        onContextMenu={(event) => event.preventDefault()}
      >
        {children}
      </div>
    </CloseContext>
  );
}

function fit(position: number, length: number, available: number): number {
  return Math.max(MARGIN, Math.min(position, available - length - MARGIN));
}

/** Closes the menu when the page moves below it. */
function useCloseOnScroll(menu: { current: HTMLElement | null }, close: () => void): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    const onScroll = (event: Event): void => {
      if (event.target !== menu.current) latest.current();
    };
    document.addEventListener('wheel', onScroll, { passive: true });
    window.addEventListener('resize', onScroll);
    return () => {
      document.removeEventListener('wheel', onScroll);
      window.removeEventListener('resize', onScroll);
    };
  }, [menu]);
}
