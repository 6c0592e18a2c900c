// @ts-check
/**
 * Starts a second database server over a slow connection, with its own tenant. Its faults must not affect the
 * tenants of the first server.
 */
import { join } from 'node:path';
import { findMariadb } from '@rowhouse/local/servers/find-servers';
import { findFreePort } from '@rowhouse/local/processes/free-port';
import { createTerminalReport } from '@rowhouse/local/report';
import { makePassword, startMysqlServer } from '@rowhouse/local/servers/start-mysql-server';
import { startTcpProxy } from '@rowhouse/testkit';
import { registerServer } from './register-server.mjs';

/**
 * @param {import('./fault-stage.mjs').FaultEnvironment} environment
 * @param {{ email: string, password: string }} operator
 * @param {{ homeDir?: string }} [options] `homeDir` is the folder of its data
 */
export async function startSecondServer(
  environment,
  operator,
  { homeDir = join(environment.dataDir, 'second') } = {},
) {
  const options = {
    engine: /** @type {const} */ ('mariadb'),
    program: await findMariadb(createTerminalReport()),
    homeDir,
    logFile: join(environment.dataDir, 'logs', 'second.log'),
    port: await findFreePort(),
    password: makePassword(),
  };
  let server = await startMysqlServer(options);
  const wire = await startTcpProxy('127.0.0.1', options.port);
  const stop = async () => {
    await wire.stop();
    if (!server.child.exited) process.kill(server.child.pid, 'SIGCONT');
    await server.stop(5_000);
  };
  const admin = { host: '127.0.0.1', port: options.port, user: 'root', password: options.password };
  const registered = await registerServer(environment, operator, {
    name: 'second',
    admin,
    port: wire.port,
  }).catch(async (/** @type {unknown} */ err) => {
    await stop();
    throw err;
  });
  return {
    ...registered,
    admin,
    wire,
    homeDir,
    stop,
    pause: () => void process.kill(server.child.pid, 'SIGSTOP'),
    resume: () => void process.kill(server.child.pid, 'SIGCONT'),
    isRunning: () => !server.child.exited,
    /** Restarts the server after a regular shutdown, as for maintenance. */
    async restart() {
      await server.stop(20_000);
      server = await startMysqlServer(options);
    },
  };
}

/** @typedef {Awaited<ReturnType<typeof startSecondServer>>} SecondServer */
