import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

const ENTRY = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** A gateway in a process of its own, started again whenever it is killed: on another port, for the old one may be somebody else's by then. */
export interface GatewayProcess {
  /** '' while it does not serve. */
  readonly url: string;
  /** Until it serves, again. */
  ready(): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  /** How often it has ended before it was told to. */
  deaths(): number;
  stop(): Promise<void>;
}

export async function startGatewayProcess(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  let isStopping = false;
  let deaths = 0;
  let child!: ChildProcess;
  let port = 0;
  let serving: Promise<void> = Promise.resolve();
  const start = (): void => {
    child = spawn(process.execPath, [ENTRY], {
      env: { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'info', GATEWAY_PORT: '0', METRICS_PORT: '0', GATEWAY_PUBLIC_URL: 'http://127.0.0.1:4100', PARENT_PID: String(process.pid), ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    serving = readPort(child).then((found) => void (port = found));
    // Who waits for it hears of the fault; nobody need.
    serving.catch(() => undefined);
    child.once('exit', () => {
      port = 0;
      if (isStopping) return;
      deaths += 1;
      start();
    });
  };
  start();
  await serving;
  return {
    get url() {
      return port === 0 ? '' : `http://127.0.0.1:${port}`;
    },
    ready: () => serving,
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    deaths: () => deaths,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
    },
  };
}

/** From its log: it tells the port when it serves. */
function readPort(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text === 'served') return;
      text += chunk.toString('utf8');
      const port = /"port":(\d+)[^\n]*gateway is ready/.exec(text)?.[1];
      if (port === undefined) return;
      text = 'served';
      resolve(Number(port));
    });
    child.once('exit', () => reject(new Error('the gateway ended before it served')));
  });
}
