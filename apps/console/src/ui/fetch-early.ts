const SIGNS = ['pointermove', 'pointerdown', 'keydown'] as const;

const waiting = new Set<() => Promise<unknown>>();
let isListening = false;
let isSomebodyThere = false;

/**
 * Fetches code as soon as somebody moves, taps or types and the browser is at rest: after the screen is shown, and before the click
 * that needs it. What cannot be fetched now is asked for again where it is needed, which is where its failure is told.
 */
export function fetchEarly(load: () => Promise<unknown>): void {
  waiting.add(load);
  if (isSomebodyThere) return whenAtRest(fetchAll);
  if (isListening || typeof window === 'undefined') return;
  isListening = true;
  for (const sign of SIGNS) window.addEventListener(sign, onSign, { passive: true, capture: true });
}

function onSign(): void {
  isSomebodyThere = true;
  for (const sign of SIGNS) window.removeEventListener(sign, onSign, { capture: true });
  whenAtRest(fetchAll);
}

function fetchAll(): void {
  const loads = [...waiting];
  waiting.clear();
  for (const load of loads) load().catch(() => undefined);
}

/** Safari knows no such moment. */
function whenAtRest(act: () => void): void {
  if (typeof requestIdleCallback === 'function') requestIdleCallback(act, { timeout: 1_000 });
  else setTimeout(act, 100);
}
