// @ts-check
/**
 * Passes each request to a ready server, as a load balancer does. A server that is about to stop first
 * reports that it is not ready, and gets no more requests. The balancer sends no request twice.
 */
import http from 'node:http';

const CHECK_INTERVAL_MS = 50;

/**
 * @param {readonly { url: string, readyUrl: string }[]} servers `readyUrl` is the `/readyz` of the server
 * @returns {Promise<{ url: string, requests: number[], close: () => Promise<void> }>} `requests` counts the
 *   requests of each server so far
 */
export async function startHttpBalancer(servers) {
  const upstreams = servers.map(({ url, readyUrl }) => ({
    hostname: new URL(url).hostname,
    port: new URL(url).port,
    readyUrl,
    isReady: false,
    agent: new http.Agent({ keepAlive: true, maxSockets: 512 }),
  }));
  const requests = servers.map(() => 0);
  const check = () =>
    Promise.all(
      upstreams.map(async (upstream) => {
        const response = await fetch(upstream.readyUrl, { signal: AbortSignal.timeout(1_000) }).catch(
          () => null,
        );
        await response?.arrayBuffer();
        upstream.isReady = response?.status === 200;
      }),
    );
  await check();
  const timer = setInterval(() => void check(), CHECK_INTERVAL_MS);
  let iteration = 0;
  const server = http.createServer({ keepAliveTimeout: 60_000 }, (req, res) => {
    iteration += 1;
    const position =
      upstreams
        .map((_, index) => (index + iteration) % upstreams.length)
        .find((index) => upstreams[index]?.isReady) ?? 0;
    const upstream = upstreams[position];
    if (upstream === undefined) return void res.destroy();
    requests[position] = (requests[position] ?? 0) + 1;
    const { hostname, port, agent } = upstream;
    const passed = http.request(
      { hostname, port, agent, method: req.method, path: req.url, headers: req.headers },
      (answer) => {
        const { connection: _hop, 'keep-alive': _time, ...headers } = answer.headers;
        res.writeHead(answer.statusCode ?? 502, headers);
        answer.pipe(res);
        answer.once('error', () => res.destroy());
      },
    );
    passed.once('error', () => res.destroy());
    req.pipe(passed);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    url: `http://127.0.0.1:${port}`,
    requests,
    async close() {
      clearInterval(timer);
      server.closeAllConnections();
      for (const { agent } of upstreams) agent.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
