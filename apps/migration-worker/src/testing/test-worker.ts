import { spawn, type ChildProcess } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritEnvironment } from '@rowhouse/testkit';

const WORKER_ENTRY = fileURLToPath(new URL('../../dist/bundle/main.cjs', import.meta.url));

/** The built worker as a child process, as in production. */
export class TestWorker {
  output = '';
  readonly ready: Promise<void>;
  /** The exit code, or the signal's name. */
  readonly exited: Promise<number | string>;
  readonly #child: ChildProcess;

  constructor(env: Record<string, string>) {
    this.#child = spawn(process.execPath, ['--enable-source-maps', WORKER_ENTRY], {
      env: { ...inheritEnvironment(), ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.exited = new Promise((resolve) => {
      this.#child.once('close', (code, signal) => resolve(signal ?? code ?? -1));
    });
    this.ready = new Promise((resolve, reject) => {
      const read = (chunk: Buffer): void => {
        this.output += chunk.toString();
        if (this.output.includes('worker ready')) resolve();
      };
      this.#child.stdout?.on('data', read);
      this.#child.stderr?.on('data', read);
      void this.exited.then((how) =>
        reject(new Error(`the worker ended (${how}) before it was ready:\n${this.output}`)),
      );
    });
    // This prevents an unhandled rejection if the caller waits only for `exited`.
    this.ready.catch(() => undefined);
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    this.#child.kill(signal);
    return this.exited;
  }

  pause(): void {
    this.#child.kill('SIGSTOP');
  }

  resume(): void {
    this.#child.kill('SIGCONT');
  }
}
