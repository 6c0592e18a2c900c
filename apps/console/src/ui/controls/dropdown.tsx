import {
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
} from 'react';
import classes from './dropdown.module.css';

/** Provides the function with which a menu item closes its menu. */
export const CloseContext = createContext<() => void>(() => undefined);

interface DropdownProps {
  /** The accessible name of the button. */
  readonly label: string;
  readonly trigger: ReactNode;
  readonly triggerClassName?: string | undefined;
  readonly align?: 'start' | 'end';
  readonly children: ReactNode;
}

/**
 * A menu button. Enter or the down arrow opens the menu, arrow keys move, and Escape closes it and returns
 * the focus. Mantine's menu, with its code for positioning, would be a sixth of the first load.
 */
export function Dropdown({ label, trigger, triggerClassName, align = 'start', children }: DropdownProps) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  useCloseOutside(frame, isOpen, () => setOpen(false));
  const close = (): void => {
    setOpen(false);
    button.current?.focus();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key === 'Escape' && isOpen) close();
    else if (event.key === 'Tab') return setOpen(false);
    else if (event.key === 'ArrowDown' && !isOpen) setOpen(true);
    else if (!isOpen || !moveFocus(frame.current, event.key)) return;
    event.preventDefault();
  };
  return (
    <div className={classes.frame} ref={frame} onKeyDown={onKeyDown}>
      <button
        type="button"
        ref={button}
        className={triggerClassName ?? classes.trigger}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {trigger}
      </button>
      {isOpen ? (
        <CloseContext value={close}>
          <div className={classes.menu} data-align={align} role="menu" aria-label={label} ref={focusFirst}>
            {children}
          </div>
        </CloseContext>
      ) : null}
    </div>
  );
}

interface DropdownItemProps {
  readonly onSelect: () => void;
  readonly icon?: ReactNode;
  readonly tone?: 'brick';
  /** Whether this item is the selected one. */
  readonly isChosen?: boolean;
  readonly children: ReactNode;
}

export function DropdownItem({ onSelect, icon, tone, isChosen, children }: DropdownItemProps) {
  const close = useContext(CloseContext);
  const select = (): void => {
    close();
    onSelect();
  };
  return (
    <button
      type="button"
      tabIndex={-1}
      className={classes.item}
      data-tone={tone}
      onClick={select}
      role={isChosen === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={isChosen}
    >
      {icon}
      <span className={classes.words}>{children}</span>
      {isChosen === true ? <span aria-hidden="true">✓</span> : null}
    </button>
  );
}

export function DropdownDivider() {
  return <div role="separator" className={classes.divider} />;
}

function listItems(frame: HTMLElement | null): HTMLElement[] {
  return [...(frame?.querySelectorAll<HTMLElement>('[role^="menuitem"]') ?? [])];
}

export function focusFirst(menu: HTMLDivElement | null): void {
  listItems(menu)[0]?.focus({ preventScroll: true });
}

/**
 * Moves the focus to the next, previous, first or last item, depending on the key. Returns false for other
 * keys.
 */
export function moveFocus(frame: HTMLElement | null, key: string): boolean {
  const items = listItems(frame);
  const index = items.findIndex((item) => item === document.activeElement);
  const target = {
    ArrowDown: (index + 1) % items.length,
    ArrowUp: (index - 1 + items.length) % items.length,
    Home: 0,
    End: items.length - 1,
  }[key];
  if (target === undefined) return false;
  items[target]?.focus();
  return true;
}

/** Calls `close` when the user presses a pointer outside of the menu. */
export function useCloseOutside(
  frame: { current: HTMLElement | null },
  isOpen: boolean,
  close: () => void,
): void {
  const latest = useRef(close);
  latest.current = close;
  useEffect(() => {
    if (!isOpen) return;
    const onPointerDown = (event: PointerEvent): void => {
      if (event.target instanceof Node && frame.current?.contains(event.target) !== true) latest.current();
    };
    document.addEventListener('pointerdown', onPointerDown);
    return () => document.removeEventListener('pointerdown', onPointerDown);
  }, [frame, isOpen]);
}
