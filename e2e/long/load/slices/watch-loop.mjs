// @ts-check
/**
 * Measures the longest time that one slice holds the event loop, and serves it on a loopback port that it
 * writes to `SLICES_DIR`. It is preloaded into each process of the product (`NODE_OPTIONS=--import`). A slice
 * is measured by the CPU time of the main thread, which the kernel reports. Elapsed time would include the
 * work of other processes on a shared machine.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import { Session } from 'node:inspector';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

const TICK_MS = 2;
const NO_SLICE = { cpuMs: 0, elapsedMs: 0, startMs: 0 };
/** The number of functions listed for one profile. */
const HOT_FUNCTIONS_MAX = 8;
const folder = process.env['SLICES_DIR'];
const app = /apps\/([a-z-]+)\/dist\/(?:bundle\/)?main\./.exec(process.argv[1] ?? '')?.[1];

if (folder !== undefined && app !== undefined && isMainThread) watch(folder, app);

/** @param {string} dir @param {string} name */
function watch(dir, name) {
  const schedstat = `/proc/self/task/${process.pid}/schedstat`;
  const readCpuMs = () => Number(readFileSync(schedstat, 'latin1').split(' ')[0]) / 1e6;
  let [atMs, atCpuMs] = [nowOfClock(), readCpuMs()];
  let longest = NO_SLICE;
  setInterval(() => {
    const [nowMs, nowCpuMs] = [nowOfClock(), readCpuMs()];
    const [elapsedMs, cpuMs] = [nowMs - atMs, nowCpuMs - atCpuMs];
    if (cpuMs > longest.cpuMs) longest = { cpuMs, elapsedMs, startMs: atMs };
    [atMs, atCpuMs] = [nowMs, nowCpuMs];
  }, TICK_MS).unref();
  const profiler = openProfiler();
  const server = http.createServer((req, res) => {
    const isReset = req.url?.startsWith('/reset') === true;
    const answer = { ...longest };
    void (isReset ? profiler.begin(req.url === '/reset?profile') : profiler.end(answer)).then((hot) => {
      if (isReset) longest = NO_SLICE;
      res.end(JSON.stringify({ ...answer, hot }));
      // Restart the measurement, so that this response and the profile do not count as a slice.
      [atMs, atCpuMs] = [nowOfClock(), readCpuMs()];
    });
  });
  server.listen(0, '127.0.0.1', () => {
    const address = server.address();
    if (typeof address === 'object' && address !== null)
      writeFileSync(
        join(dir, `${name}-${process.pid}.json`),
        JSON.stringify({ app: name, pid: process.pid, port: address.port }),
      );
  });
  server.unref();
}

/** Returns the milliseconds of the clock by which profiles are timed. */
function nowOfClock() {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

/** Profiles a case on request, and lists the functions in which the longest slice spent its CPU time. */
function openProfiler() {
  const session = new Session();
  session.connect();
  let isOn = false;
  /** @param {string} method @returns {Promise<any>} */
  const post = (method) =>
    new Promise((resolve, reject) =>
      session.post(method, (error, result) => (error ? reject(error) : resolve(result))),
    );
  return {
    /** @param {boolean} isWanted @returns {Promise<string[]>} */
    async begin(isWanted) {
      if (!isWanted) return [];
      await post('Profiler.enable');
      await post('Profiler.start');
      isOn = true;
      return [];
    },
    /** @param {typeof NO_SLICE} slice */
    async end(slice) {
      if (!isOn) return [];
      isOn = false;
      const { profile } = await post('Profiler.stop');
      return listHotFunctions(profile, slice);
    },
  };
}

/** @param {import('node:inspector').Profiler.Profile} profile @param {typeof NO_SLICE} slice */
function listHotFunctions({ nodes, startTime, samples = [], timeDeltas = [] }, { startMs, elapsedMs }) {
  let atMs = startTime / 1_000;
  const byId = new Map(nodes.map((node) => [node.id, node]));
  /** @type {Map<string, number>} */
  const selfMs = new Map();
  samples.forEach((id, index) => {
    atMs += (timeDeltas[index] ?? 0) / 1_000;
    if (atMs < startMs || atMs > startMs + elapsedMs) return;
    const frame = byId.get(id)?.callFrame;
    const name =
      frame === undefined
        ? '?'
        : `${frame.functionName || '(anonymous)'} ${frame.url.split('/').slice(-1)[0]}:${frame.lineNumber + 1}`;
    selfMs.set(name, (selfMs.get(name) ?? 0) + (timeDeltas[index] ?? 0) / 1_000);
  });
  return [...selfMs]
    .filter(([name]) => !/^\((idle|program)\)/.test(name))
    .sort((a, b) => b[1] - a[1])
    .slice(0, HOT_FUNCTIONS_MAX)
    .map(([name, ms]) => `${ms.toFixed(0)} ms ${name}`);
}
