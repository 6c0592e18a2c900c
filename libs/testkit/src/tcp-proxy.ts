import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';

/** A proxy for connections to a server, which a test can interrupt and restore. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections and rejects new ones. */
  cut(): void;
  /** Keeps all connections open but forwards nothing, like a server that hangs. */
  stall(): void;
  open(): void;
  /** Delays every chunk in both directions. 0 disables the delay. */
  slow(delayMs: number): void;
  /**
   * Returns the number of chunks that clients sent. If a client waits for each response, this is the number
   * of its requests.
   */
  countSent(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  let sent = 0;
  let delayMs = 0;
  const server = createServer((downstream) => {
    if (state === 'cut') return void downstream.destroy();
    const upstream = connect(port, host);
    for (const [from, to] of [
      [downstream, upstream],
      [upstream, downstream],
    ] as const) {
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
        if (from === downstream) sent += 1;
        if (delayMs === 0 && tail === null) return pass(bytes);
        // Chunks remain in order even if the delay changes.
        const dueMs = performance.now() + delayMs;
        const own: Promise<void> = (tail ?? Promise.resolve())
          .then(() => waitUntil(dueMs))
          .then(() => pass(bytes));
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
      // Bytes that arrived during the stall were discarded, so the connections cannot continue and are
      // closed.
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
