import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES, type MigrationResponse, type MigrationState } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';

const CHECK_INTERVAL_MS = 100;
const HEARTBEAT_MS = 15_000;
const RIGHTS_INTERVAL_MS = 2_000;
/** The time in milliseconds after which a client that has read nothing counts as disconnected. */
const HELD_MS_MAX = 30_000;
/**
 * The maximum send rate per listener in characters per second. A plan with thousands of tables has megabytes
 * and is part of each event.
 */
const CHARS_PER_SECOND = 2_000_000;

/** The parts of a migration that change, without its plan. */
export interface MigrationSnapshot {
  readonly state: MigrationState;
  /** The parts that change, as text. If two texts are equal, nothing has changed. */
  readonly text: string;
}

export interface FollowedMigration {
  readonly check: () => Promise<MigrationSnapshot>;
  readonly find: () => Promise<MigrationResponse>;
  readonly mayContinue: () => Promise<boolean>;
}

/**
 * Streams a migration as server-sent events: `event: migration` with the complete response after each change,
 * and `event: end` after the last state. Stops when the client disconnects. Closes the connection when
 * `mayContinue`, called every two seconds, returns false. Large responses are sent less often, except for the
 * last one. Nothing is sent while the client has not read the previous event, and after 30 s the connection
 * is closed.
 */
export async function streamMigration(
  reply: FastifyReply,
  { check, find, mayContinue: mayGoOn }: FollowedMigration,
): Promise<void> {
  let seen = await check();
  let answer = await find();
  const out = openEvents(reply);
  let [message, sent] = ['', ''];
  let [receivedAt, reportFrom, allowedAt, takenAt] = [
    performance.now(),
    0,
    performance.now(),
    performance.now(),
  ];
  for (; !out.destroyed; seen = await check()) {
    const isEnd = MIGRATION_END_STATES.includes(seen.state);
    const isHeld = out.writableNeedDrain;
    if (!isHeld) takenAt = performance.now();
    else if (performance.now() - takenAt > HELD_MS_MAX) return void out.destroy();
    if (!isHeld && seen.text !== message && (isEnd || performance.now() >= reportFrom)) {
      if (message !== '') answer = await find();
      message = seen.text;
      const text = JSON.stringify(answer);
      if (text !== sent) out.write(`event: migration\ndata: ${text}\n\n`);
      [sent, receivedAt] = [text, performance.now()];
      reportFrom = receivedAt + (text.length / CHARS_PER_SECOND) * 1_000;
    } else if (!isHeld && performance.now() - receivedAt > HEARTBEAT_MS) {
      out.write(': still here\n\n');
      receivedAt = performance.now();
    }
    if (isEnd && MIGRATION_END_STATES.includes(answer.state)) {
      out.end('event: end\ndata: {}\n\n');
      return;
    }
    await pause(CHECK_INTERVAL_MS, undefined, { ref: false });
    if (performance.now() - allowedAt < RIGHTS_INTERVAL_MS) continue;
    if (!(await mayGoOn())) {
      out.destroy();
      return;
    }
    allowedAt = performance.now();
  }
}

function openEvents(reply: FastifyReply): ServerResponse {
  const headers = Object.fromEntries(
    Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined),
  ) as Record<string, string>;
  reply.hijack();
  return reply.raw.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-store',
    'x-accel-buffering': 'no',
  });
}
