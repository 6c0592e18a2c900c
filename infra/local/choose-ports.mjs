import { findFreePort, isPortFree } from './free-port.mjs';
import { LauncherError } from './report.mjs';

/**
 * @typedef {object} PortWish
 * @property {string} name the key in the state
 * @property {number | undefined} [asked] by the person at the terminal; no other port will do
 * @property {number} [usual] the port to use when it is free
 */

/**
 * Fills in the ports of an installation. A chosen port is used again unless another process has taken it.
 * @param {import('./installation.mjs').InstallationState} state gets the chosen ports in `ports`
 * @param {readonly PortWish[]} wishes
 * @param {import('./report.mjs').Report} report
 * @throws {LauncherError} when a requested port is taken
 */
export async function choosePorts(state, wishes, report) {
  /** @type {Set<number>} */
  const taken = new Set();
  for (const wish of wishes) {
    const port = await choosePort(wish, state.ports[wish.name], taken, report);
    taken.add(port);
    state.ports[wish.name] = port;
  }
}

/**
 * @param {PortWish} wish
 * @param {number | undefined} kept
 * @param {ReadonlySet<number>} taken
 * @param {import('./report.mjs').Report} report
 */
async function choosePort(wish, kept, taken, report) {
  if (wish.asked !== undefined) {
    if (!taken.has(wish.asked) && (await isPortFree(wish.asked))) return wish.asked;
    throw new LauncherError(`Port ${wish.asked} (${wish.name}) is taken by another program.`, {
      hint: `Set ${wish.name.toUpperCase()}_PORT to a free port, or unset it and Rowhouse finds one.`,
    });
  }
  for (const candidate of new Set([kept, wish.usual])) {
    if (candidate === undefined || taken.has(candidate)) continue;
    if (await isPortFree(candidate)) return candidate;
    report.note(`Port ${candidate} (${wish.name}) is taken by another program; looking for another.`);
  }
  return findFreePort(taken);
}
