import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritEnvironment } from '@rowhouse/testkit';

const ENTRY = fileURLToPath(new URL('../dist/bundle/main.cjs', import.meta.url));

/** A gateway in a process of its own, started again whenever it is killed: on another port, for the old one may be somebody else's by then. */
export interface GatewayProcess {
  /** '' while it does not serve. */
  readonly url: string;
  /** Of `/readyz` and the like. */
  readonly opsUrl: string;
  /** Until it serves, again. */
  ready(): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
  /** SIGSTOP and SIGCONT. */
  pause(): void;
  resume(): void;
  /** SIGTERM; gives the exit code. It is not started again. */
  terminate(): Promise<number | null>;
  /** How often it has ended before it was told to. */
  deaths(): number;
  stop(): Promise<void>;
}

export async function startGatewayProcess(environment: Readonly<Record<string, string>>): Promise<GatewayProcess> {
  let isStopping = false;
  let deaths = 0;
  let child!: ChildProcess;
  let port = 0;
  let opsPort = 0;
  let serving: Promise<void> = Promise.resolve();
  const start = (): void => {
    child = spawn(process.execPath, [ENTRY], {
      env: { ...inheritEnvironment(), LOG_LEVEL: 'info', GATEWAY_PORT: '0', METRICS_PORT: '0', GATEWAY_PUBLIC_URL: 'http://127.0.0.1:4100', PARENT_PID: String(process.pid), ...environment },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    serving = readPorts(child).then((found) => {
      port = found.port;
      opsPort = found.opsPort;
    });
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
    get opsUrl() {
      return `http://127.0.0.1:${opsPort}`;
    },
    ready: () => serving,
    kill: () => void child.kill('SIGKILL'),
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
    async terminate() {
      isStopping = true;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await gone) as [number | null];
      return code;
    },
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

/** From its log: it tells the ports when it serves. */
function readPorts(child: ChildProcess): Promise<{ port: number; opsPort: number }> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      if (text === 'served') return;
      text += chunk.toString('utf8');
      const ports = /"port":(\d+),"ops_port":(\d+)[^\n]*gateway is ready/.exec(text);
      if (ports === null) return;
      text = 'served';
      resolve({ port: Number(ports[1]), opsPort: Number(ports[2]) });
    });
    child.once('exit', () => reject(new Error('the gateway ended before it served')));
  });
}
