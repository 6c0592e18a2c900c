const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

const waiting = new Set<() => Promise<unknown>>();
let isListening = false;
let isSomebodyThere = false;

/**
 * Loads code after the first input, when the browser is idle. The screen is visible by then, and the click
 * that needs the code follows later. If loading fails, it is repeated where the code is needed, and the error
 * is shown there.
 */
export function fetchEarly(load: () => Promise<unknown>): void {
  waiting.add(load);
  if (isSomebodyThere) return whenIdle(fetchAll);
  if (isListening || typeof window === 'undefined') return;
  isListening = true;
  for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true, capture: true });
}

function onSign(): void {
  isSomebodyThere = true;
  for (const sign of SIGNS) window.removeEventListener(sign, onSign, { capture: true });
  whenIdle(fetchAll);
}

function fetchAll(): void {
  const loads = [...waiting];
  waiting.clear();
  for (const load of loads) load().catch(() => undefined);
}

/** Safari has no `requestIdleCallback`, so a timer is used there. */
function whenIdle(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 1_000 });
  else setTimeout(act, 100);
}
