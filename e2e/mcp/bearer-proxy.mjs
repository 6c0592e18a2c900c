// @ts-check
import { createServer, request } from 'node:http';
import { listen } from './listen.mjs';

/**
 * Starts a proxy that adds credentials, which the suites do not send, and changes nothing else.
 * @param {string} target
 * @param {string} bearer
 * @returns {Promise<{ url: string, close: () => Promise<void> }>}
 */
export async function startBearerProxy(target, bearer) {
  const { hostname, port, pathname } = new URL(target);
  const server = createServer((req, res) => {
    const onward = request(
      {
        hostname,
        port,
        path: pathname,
        method: req.method,
        headers: { ...req.headers, authorization: `Bearer ${bearer}` },
      },
      (answer) => {
        res.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(res);
      },
    );
    onward.on('error', () => res.destroy());
    req.pipe(onward);
  });
  return listen(server, '/mcp');
}
