import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';

/**
 * @param {number} port
 * @returns {Promise<boolean>} whether the port is free on loopback now
 */
export function isPortFree(port) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/**
 * @param {ReadonlySet<number>} [taken] ports already given out
 * @returns {Promise<number>} a port that is free on loopback now
 */
export async function findFreePort(taken = new Set()) {
  for (;;) {
    const port = await askForPort();
    if (!taken.has(port)) return port;
  }
}

/**
 * Returns a function that chooses ports for servers that are stopped and restarted. The ports are below the
 * ephemeral range, so that the system does not give one to a client connection while the server is down.
 * @returns {() => Promise<number>} each call returns another port that is free on loopback now
 */
export function openPortSource() {
  /** @type {Set<number>} */
  const provided = new Set();
  return async () => {
    for (;;) {
      const port = randomInt(20_000, 30_000);
      if (provided.has(port)) continue;
      provided.add(port);
      if (await isPortFree(port)) return port;
    }
  };
}

/** @returns {Promise<number>} */
function askForPort() {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen({ port: 0, host: '127.0.0.1' }, () => {
      const address = server.address();
      const port = typeof address === 'object' && address !== null ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
