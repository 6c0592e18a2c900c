import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A way to a server that a test can cut, and open again. */
export interface TcpProxy {
  readonly port: number;
  /** Ends every connection and refuses new ones. */
  cut(): void;
  /** Keeps every connection and lets nothing through: a server that has stopped answering. */
  stall(): void;
  open(): void;
  /** How many pieces the near side has sent: for a client that waits for each answer, its requests. */
  countSent(): number;
  stop(): Promise<void>;
}

export async function startTcpProxy(host: string, port: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let state: 'open' | 'cut' | 'stalled' = 'open';
  let sent = 0;
  const server = createServer((near) => {
    if (state === 'cut') return void near.destroy();
    const far = connect(port, host);
    for (const [from, to] of [[near, far], [far, near]] as const) {
      sockets.add(from);
      from.on('error', () => to.destroy());
      from.on('close', () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on('data', (bytes) => {
        if (from === near) sent += 1;
        if (state === 'open') to.write(bytes);
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
    countSent: () => sent,
    async stop() {
      destroyAll();
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
    },
  };
}
