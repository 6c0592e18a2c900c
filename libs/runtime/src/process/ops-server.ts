import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';

/** The reasons why a process is not ready, by component. Empty if it is ready. */
export type ReadinessReport = Readonly<Record<string, string>>;

const JSON_TYPE = 'application/json; charset=utf-8';

export interface OpsServer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * Serves `/livez`, `/readyz` and `/metrics` on a port of their own. It listens on loopback unless `host` is
 * given. `/readyz` responds with 503 and the reasons while `readiness()` returns any.
 */
export async function startOpsServer(options: {
  readonly host: string;
  readonly port: number;
  readonly registry: Registry;
  readonly readiness: () => ReadinessReport;
}): Promise<OpsServer> {
  const server = createServer((req, res) => {
    const path = (req.url ?? '/').split('?')[0] ?? '/';
    // If the readiness report throws, the process is considered not ready. The error must not end the
    // process.
    const fallback = { status: 503, type: JSON_TYPE, body: '{"status":"unknown"}' };
    void answer(options, path)
      .catch(() => fallback)
      .then(({ status, type, body }) => {
        res.writeHead(status, { 'content-type': type, 'cache-control': 'no-store' }).end(body);
      });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => closeServer(server) };
}

async function answer(
  options: { readonly registry: Registry; readonly readiness: () => ReadinessReport },
  path: string,
): Promise<{ status: number; type: string; body: string }> {
  if (path === '/livez') return { status: 200, type: JSON_TYPE, body: '{"status":"ok"}' };
  if (path === '/metrics')
    return { status: 200, type: options.registry.contentType, body: await options.registry.metrics() };
  if (path !== '/readyz') return { status: 404, type: JSON_TYPE, body: '{"status":"not_found"}' };
  const reasons = options.readiness();
  const isReady = Object.keys(reasons).length === 0;
  return {
    status: isReady ? 200 : 503,
    type: JSON_TYPE,
    body: JSON.stringify({ status: isReady ? 'ready' : 'not_ready', reasons }),
  };
}

async function closeServer(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    server.close(() => resolve());
  });
  server.closeAllConnections();
  await closed;
}
