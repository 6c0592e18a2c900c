/** The command that runs a script of this repository on any machine with npm. */
export const PNPM = 'npx -y pnpm@12';

/** Receives the launcher's progress lines. Tests pass a silent one. */

/**
 * @typedef {object} Report
 * @property {(text: string) => void} step reports the step that begins now
 * @property {(text: string) => void} note reports something worth knowing
 * @property {(text: string) => void} warn reports something that the reader should act on
 */

/** @returns {Report} */
export function createTerminalReport() {
  const startedMs = Date.now();
  const stamp = () => `${((Date.now() - startedMs) / 1000).toFixed(1).padStart(6)} s`;
  return {
    step: (text) => console.log(`${stamp()}  ${text}`),
    note: (text) => console.log(`          ${text}`),
    warn: (text) => console.warn(`${stamp()}  ! ${text}`),
  };
}

/** @type {Report} */
export const silentReport = { step: () => {}, note: () => {}, warn: () => {} };

/** A failure whose message is written for the person at the terminal. It is printed without a stack. */
export class LauncherError extends Error {
  /**
   * @param {string} message
   * @param {{hint?: string, logTail?: string}} [more]
   */
  constructor(message, more = {}) {
    super(message);
    this.name = 'LauncherError';
    this.hint = more.hint;
    this.logTail = more.logTail;
  }
}
