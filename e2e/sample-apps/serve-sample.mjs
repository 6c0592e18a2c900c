// @ts-check
import { execFile } from 'node:child_process';
import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { promisify } from 'node:util';

const execute = promisify(execFile);
/** @type {Record<string, string>} */
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css' };

/**
 * Serves the files of a sample from its own origin. `build` creates the files once the origin is known,
 * because the key in the page is bound to the origin.
 * @returns {Promise<{
 *   origin: string,
 *   build: (folder: string, env: Record<string, string>) => Promise<void>,
 *   close: () => void,
 * }>}
 */
export async function serveSample() {
  const files = mkdtempSync(join(tmpdir(), 'rowhouse-sample-'));
  const server = createServer((req, res) => {
    const path = join(files, new URL(req.url ?? '/', 'http://sample').pathname);
    // Any path without a file extension gets the page, whose own router reads the URL.
    const file = extname(path) !== '' && existsSync(path) ? path : join(files, 'index.html');
    res.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
    createReadStream(file).pipe(res);
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return {
    origin: `http://127.0.0.1:${address.port}`,
    async build(folder, env) {
      await execute(
        join(folder, 'node_modules', '.bin', 'vite'),
        ['build', '--logLevel', 'warn', '--outDir', files, '--emptyOutDir'],
        { cwd: folder, env: { ...process.env, ...env } },
      );
    },
    close() {
      server.closeAllConnections();
      server.close();
      rmSync(files, { recursive: true, force: true });
    },
  };
}
