import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { inheritEnvironment } from '@rowhouse/testkit';

const ENTRY = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url));

/**
 * A gateway in its own process. It is restarted whenever it is killed, on another port, because another
 * process may have taken the old one.
 */
export interface GatewayProcess {
  /** Empty while the gateway does not serve. */
  readonly url: string;
  /** The address of `/readyz` and other operations endpoints. */
  readonly opsUrl: string;
  /** Resolves when the gateway serves, or serves again. */
  ready(): Promise<void>;
  /** Sends SIGKILL. */
  kill(): void;
  /** Sends SIGSTOP. `resume` sends SIGCONT. */
  pause(): void;
  resume(): void;
  /** Sends SIGTERM and returns the exit code. The process is not restarted. */
  terminate(): Promise<number | null>;
  /** Returns how often the process ended unexpectedly. */
  deaths(): number;
  stop(): Promise<void>;
}

export async function startGatewayProcess(
  environment: Readonly<Record<string, string>>,
): Promise<GatewayProcess> {
  let isStopping = false;
  let deaths = 0;
  let child!: ChildProcess;
  let port = 0;
  let opsPort = 0;
  let serving: Promise<void> = Promise.resolve();
  const start = (): void => {
    child = spawn(process.execPath, [ENTRY], {
      env: {
        ...inheritEnvironment(),
        LOG_LEVEL: 'info',
        GATEWAY_PORT: '0',
        METRICS_PORT: '0',
        GATEWAY_PUBLIC_URL: 'http://127.0.0.1:4100',
        PARENT_PID: String(process.pid),
        ...environment,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    serving = readPorts(child).then((found) => {
      port = found.port;
      opsPort = found.opsPort;
    });
    // Callers that await the promise get the rejection. Without such a caller, it is ignored.
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
      const removed = once(child, 'exit');
      child.kill('SIGTERM');
      const [code] = (await removed) as [number | null];
      return code;
    },
    deaths: () => deaths,
    async stop() {
      isStopping = true;
      if (child.exitCode !== null || child.signalCode !== null) return;
      const removed = once(child, 'exit');
      child.kill('SIGKILL');
      await removed;
    },
  };
}

/** Reads the ports from the log line that the gateway writes when it is ready. */
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
