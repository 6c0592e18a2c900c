import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES, type MigrationAnswer } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';

const LOOK_INTERVAL_MS = 100;
const HEARTBEAT_MS = 15_000;
const RIGHTS_INTERVAL_MS = 2_000;

/**
 * Server-sent events of one migration: `event: migration` with its whole answer whenever it has changed,
 * `event: end` after its last state, then the stream closes. A client that goes away ends the looking; where `mayGoOn`, asked
 * every two seconds, says no, the connection is closed.
 */
export async function streamMigration(reply: FastifyReply, find: () => Promise<MigrationAnswer>, mayGoOn: () => Promise<boolean>): Promise<void> {
  const first = await find();
  const out = reply.raw;
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<string, string>;
  reply.hijack();
  out.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
  let sent = '';
  let heardAt = performance.now();
  let allowedAt = performance.now();
  for (let now = first; !out.destroyed; now = await find()) {
    const text = JSON.stringify(now);
    if (text !== sent) {
      out.write(`event: migration\ndata: ${text}\n\n`);
      [sent, heardAt] = [text, performance.now()];
    } else if (performance.now() - heardAt > HEARTBEAT_MS) {
      out.write(': still here\n\n');
      heardAt = performance.now();
    }
    if (MIGRATION_END_STATES.includes(now.state)) {
      out.end('event: end\ndata: {}\n\n');
      return;
    }
    await pause(LOOK_INTERVAL_MS, undefined, { ref: false });
    if (performance.now() - allowedAt < RIGHTS_INTERVAL_MS) continue;
    if (!(await mayGoOn())) {
      out.destroy();
      return;
    }
    allowedAt = performance.now();
  }
}
