// @ts-check
import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Profiles the CPU time of a Node process while `callback` runs.
 * The process must have been started with `--inspect-port`, since SIGUSR1 opens its inspector on that port.
 */

const SAMPLING_US = 500;
const SAMPLING_BYTES = 16_384;

/**
 * @typedef {object} ProfileNode
 * @property {number} id
 * @property {{ functionName: string, url: string, lineNumber: number }} callFrame
 * @property {number} [hitCount]
 * @typedef {{ callFrame: ProfileNode['callFrame'], selfSize: number, children: AllocationNode[] }}
 *   AllocationNode
 * @typedef {{ nodes: ProfileNode[], samples: number[], timeDeltas: number[] }} CpuProfile
 */

/**
 * @template T
 * @param {{ pid: number, port: number, file: string }} process_ `file` is the output path of the profile,
 *   which browser developer tools can open
 * @param {() => Promise<T>} callback
 * @returns {Promise<{ result: T, profile: CpuProfile }>}
 */
export async function profileWhile({ pid, port, file }, callback) {
  const inspector = await openInspector(pid, port);
  await inspector.call('Profiler.enable');
  await inspector.call('Profiler.setSamplingInterval', { interval: SAMPLING_US });
  await inspector.call('Profiler.start');
  const result = await callback();
  const { profile } = /** @type {{ profile: CpuProfile }} */ (await inspector.call('Profiler.stop'));
  inspector.close();
  writeFileSync(file, JSON.stringify(profile));
  return { result, profile };
}

/**
 * Samples the allocations of a process by location while `callback` runs, including objects that are
 * collected.
 * @template T
 * @param {{ pid: number, port: number }} process_
 * @param {() => Promise<T>} callback
 * @returns {Promise<{ result: T, head: AllocationNode }>}
 */
export async function sampleAllocations({ pid, port }, callback) {
  const inspector = await openInspector(pid, port);
  await inspector.call('HeapProfiler.enable');
  await inspector.call('HeapProfiler.startSampling', {
    samplingInterval: SAMPLING_BYTES,
    includeObjectsCollectedByMajorGC: true,
    includeObjectsCollectedByMinorGC: true,
  });
  const result = await callback();
  const { profile } = /** @type {{ profile: { head: AllocationNode } }} */ (
    await inspector.call('HeapProfiler.stopSampling')
  );
  inspector.close();
  return { result, head: profile.head };
}

/**
 * @param {AllocationNode} head
 * @param {(frame: ProfileNode['callFrame']) => string} toName
 * @returns {{ name: string, bytes: number }[]} the largest first
 */
export function sumAllocations(head, toName) {
  /** @type {Map<string, number>} */
  const sums = new Map();
  /** @type {AllocationNode[]} */
  const left = [head];
  for (let node = left.pop(); node !== undefined; node = left.pop()) {
    const name = toName(node.callFrame);
    sums.set(name, (sums.get(name) ?? 0) + node.selfSize);
    left.push(...node.children);
  }
  return [...sums].map(([name, bytes]) => ({ name, bytes })).toSorted((a, b) => b.bytes - a.bytes);
}

/** @param {number} pid @param {number} port */
async function openInspector(pid, port) {
  if (typeof WebSocket === 'undefined')
    throw new Error('Profiles require Node 22 or newer. Run pnpm bench, which uses it.');
  process.kill(pid, 'SIGUSR1');
  const socket = new WebSocket(await findInspector(port));
  await new Promise((resolve, reject) => {
    socket.addEventListener('open', resolve, { once: true });
    socket.addEventListener('error', () => reject(new Error("Couldn't reach the inspector")), { once: true });
  });
  /** @type {Map<number, { resolve: (result: unknown) => void, reject: (error: Error) => void }>} */
  const requested = new Map();
  socket.addEventListener('message', ({ data }) => {
    const { id, result, error } = JSON.parse(String(data));
    if (error === undefined) requested.get(id)?.resolve(result);
    else requested.get(id)?.reject(new Error(error.message));
    requested.delete(id);
  });
  let lastId = 0;
  return {
    /** @param {string} method @param {object} [params] */
    call(method, params = {}) {
      lastId += 1;
      socket.send(JSON.stringify({ id: lastId, method, params }));
      return new Promise((resolve, reject) => void requested.set(lastId, { resolve, reject }));
    },
    close: () => socket.close(),
  };
}

/** @param {number} port */
async function findInspector(port) {
  for (let attempt = 0; ; attempt += 1) {
    try {
      const [page] = /** @type {{ webSocketDebuggerUrl: string }[]} */ (
        await (await fetch(`http://127.0.0.1:${port}/json/list`)).json()
      );
      if (page === undefined) throw new Error('The inspector is not open');
      return page.webSocketDebuggerUrl;
    } catch (error) {
      if (attempt === 100) throw error;
      await pause(100);
    }
  }
}

/**
 * Sums the CPU time of the process by name, without idle time.
 * @param {CpuProfile} profile
 * @param {(frame: ProfileNode['callFrame']) => string} toName
 * @returns {{ name: string, share: number }[]} the largest first
 */
export function sumProfile({ nodes, samples, timeDeltas }, toName) {
  const byId = new Map(nodes.map((node) => [node.id, node.callFrame]));
  /** @type {Map<string, number>} */
  const sums = new Map();
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const frame = byId.get(id);
    if (frame === undefined || frame.functionName === '(idle)') continue;
    const us = timeDeltas[index] ?? 0;
    total += us;
    const name = toName(frame);
    sums.set(name, (sums.get(name) ?? 0) + us);
  }
  return [...sums].map(([name, us]) => ({ name, share: us / total })).toSorted((a, b) => b.share - a.share);
}

/**
 * Removes the folders that differ between machines: `fastify/lib/reply.js`, `node:internal/http`.
 * @param {string} url
 */
export function shortenUrl(url) {
  const inPackage = /node_modules\/(?!\.pnpm)((?:@[^/]+\/)?[^/]+\/.*)$/.exec(url);
  if (inPackage !== null) return inPackage[1] ?? url;
  return url.replace(/^file:\/\//, '').replace(/^.*\/(?=(?:libs|apps|bench)\/)/, '');
}
