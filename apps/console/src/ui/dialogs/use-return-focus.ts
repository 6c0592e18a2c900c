import { useLayoutEffect } from 'react';

/**
 * Returns the focus to the control that opened a dialog, once the dialog closes or its component is removed.
 * Mantine does this only for dialogs whose code was loaded before they were opened.
 */
export function useReturnFocus(isOpened: boolean): void {
  useLayoutEffect(() => {
    if (!isOpened) return;
    const opener = document.activeElement;
    return () => {
      const inDialog = document.activeElement;
      setTimeout(() => returnFocus(opener, inDialog));
    };
  }, [isOpened]);
}

/**
 * Focuses the opener, or the page if the opener is gone. Does nothing if another control has received the
 * focus since the dialog closed.
 */
function returnFocus(opener: Element | null, inDialog: Element | null): void {
  const current = document.activeElement;
  if (current !== inDialog && current !== document.body) return;
  const isUsable = opener instanceof HTMLElement && opener.isConnected && opener !== document.body;
  (isUsable ? opener : document.getElementById('main'))?.focus({ preventScroll: true });
}
