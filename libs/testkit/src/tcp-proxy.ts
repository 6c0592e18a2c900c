import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A way to a server that a test can cut, and open again. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection and lets nothing through: a server that has stopped answering. */
  stall(): void;
  open(): void;
  /** Every piece takes so long each way; 0: none. */
  slow(delayMs: number): void;
  /** How many pieces the near side has sent: for a client that waits for each answer, its requests. */
  countSent(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  let sent = 0;
  let delayMs = 0;
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(port, host);
    for (const [from, to] of [[near, far], [far, near]] as const) {
      sockets.add(from);
      let tail: Promise<void> | null = null;
      const pass = (bytes: Buffer): void => {
        if (state === 'open' && !to.destroyed) to.write(bytes);
      };
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (from === near) sent += 1;
        if (delayMs === 0 && tail === null) return pass(bytes);
        // In order, also while the delay changes.
        const dueMs = performance.now() + delayMs;
        const own: Promise<void> = (tail ?? Promise.resolve()).then(() => waitUntil(dueMs)).then(() => pass(bytes));
        tail = own;
        void own.then(() => {
          if (tail === own) tail = null;
        });
      });
    }
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const destroyAll = (): void => sockets.forEach((socket) => void socket.destroy());
  return {
    port: (server.address() as AddressInfo).port,
    cut() {
      state = 'cut';
      destroyAll();
    },
    stall() {
      state = 'stalled';
    },
    open() {
      // What was swallowed while stalled cannot be made good: those connections end.
      if (state === 'stalled') destroyAll();
      state = 'open';
    },
    slow(ms) {
      delayMs = ms;
    },
    countSent: () => sent,
    async stop() {
      destroyAll();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}

function waitUntil(dueMs: number): Promise<void> {
  return pause(Math.max(0, dueMs - performance.now()));
}
