import { findFreePort, isPortFree } from '../processes/free-port.mjs';
import { LauncherError } from '../report.mjs';

/**
 * @typedef {object} PortRequest
 * @property {string} name the key in the state
 * @property {number | undefined} [requested] the port that the user asked for; no other port is used instead
 * @property {number} [usual] the port to use when it is free
 */

/**
 * Chooses the ports of an installation. A port of an earlier start is used again unless another process uses
 * it now.
 * @param {import('./installation.mjs').InstallationState} state gets the chosen ports in `ports`
 * @param {readonly PortRequest[]} inputs
 * @param {import('../report.mjs').Report} report
 * @throws {LauncherError} when a requested port is taken
 */
export async function choosePorts(state, inputs, report) {
  /** @type {Set<number>} */
  const taken = new Set();
  for (const input of inputs) {
    const port = await choosePort(input, state.ports[input.name], taken, report);
    taken.add(port);
    state.ports[input.name] = port;
  }
}

/**
 * @param {PortRequest} input
 * @param {number | undefined} previousPort
 * @param {ReadonlySet<number>} taken
 * @param {import('../report.mjs').Report} report
 */
async function choosePort(input, previousPort, taken, report) {
  if (input.requested !== undefined) {
    if (!taken.has(input.requested) && (await isPortFree(input.requested))) return input.requested;
    throw new LauncherError(`Port ${input.requested} (${input.name}) is taken by another program.`, {
      hint: `Set ${input.name.toUpperCase()}_PORT to a free port, or unset it and Rowhouse finds one.`,
    });
  }
  for (const candidate of new Set([previousPort, input.usual])) {
    if (candidate === undefined || taken.has(candidate)) continue;
    if (await isPortFree(candidate)) return candidate;
    report.note(`Port ${candidate} (${input.name}) is taken by another program; looking for another.`);
  }
  return findFreePort(taken);
}
