// @ts-check
/** Spreads connections over servers that say they are ready, as a load balancer at the level of TCP does. */
import net from 'node:net';

const LOOK_INTERVAL_MS = 50;

/**
 * @param {readonly { url: string, readyUrl: string }[]} servers `readyUrl`: its `/readyz`
 * @returns {Promise<{ url: string, connections: number[], close: () => Promise<void> }>} `connections`: how many each has got so far
 */
export async function startTcpBalancer(servers) {
  const ready = servers.map(() => false);
  const connections = servers.map(() => 0);
  /** @type {Set<net.Socket>} */
  const sockets = new Set();
  let turn = 0;
  const look = () => Promise.all(servers.map(async ({ readyUrl }, at) => {
    const answer = await fetch(readyUrl, { signal: AbortSignal.timeout(1_000) }).catch(() => null);
    await answer?.arrayBuffer();
    ready[at] = answer?.status === 200;
  }));
  await look();
  const timer = setInterval(() => void look(), LOOK_INTERVAL_MS);
  const server = net.createServer({ allowHalfOpen: true }, (client) => {
    const order = servers.map((_, at) => (at + turn) % servers.length);
    turn += 1;
    const at = order.find((one) => ready[one]) ?? 0;
    connections[at] = (connections[at] ?? 0) + 1;
    const { hostname, port } = new URL(servers[at]?.url ?? '');
    const upstream = net.connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    for (const [one, other] of [[client, upstream], [upstream, client]]) {
      if (one === undefined || other === undefined) continue;
      sockets.add(one);
      one.pipe(other);
      one.setNoDelay(true);
      one.once('error', () => other.destroy());
      one.once('close', () => sockets.delete(one));
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {net.AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`, connections,
    async close() {
      clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
