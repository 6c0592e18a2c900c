import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { MIGRATION_END_STATES, type MigrationAnswer, type MigrationState } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';

const LOOK_INTERVAL_MS = 100;
const HEARTBEAT_MS = 15_000;
const RIGHTS_INTERVAL_MS = 2_000;
/** A client that has not taken what it was told for so long is gone. */
const HELD_MS_MAX = 30_000;
/** Told to one listener: a plan of thousands of tables has megabytes, and stands in each answer. */
const CHARS_PER_SECOND = 2_000_000;

/** All that changes of a migration; its plan does not. */
export interface MigrationLook {
  readonly state: MigrationState;
  /** Equal texts: nothing has changed. */
  readonly text: string;
}

export interface FollowedMigration {
  readonly look: () => Promise<MigrationLook>;
  readonly find: () => Promise<MigrationAnswer>;
  readonly mayGoOn: () => Promise<boolean>;
}

/**
 * Server-sent events of one migration: `event: migration` with its whole answer whenever it has changed,
 * `event: end` after its last state, then the stream closes. A client that goes away ends the looking; where `mayGoOn`, asked
 * every two seconds, says no, the connection is closed. Long answers are told less often, the last one at once; and nothing is told to
 * a client that has not taken what it was told before, whose connection is closed after 30 s.
 */
export async function streamMigration(reply: FastifyReply, { look, find, mayGoOn }: FollowedMigration): Promise<void> {
  let seen = await look();
  let answer = await find();
  const out = openEvents(reply);
  let [told, sent] = ['', ''];
  let [heardAt, tellFrom, allowedAt, takenAt] = [performance.now(), 0, performance.now(), performance.now()];
  for (; !out.destroyed; seen = await look()) {
    const isEnd = MIGRATION_END_STATES.includes(seen.state);
    const isHeld = out.writableNeedDrain;
    if (!isHeld) takenAt = performance.now();
    else if (performance.now() - takenAt > HELD_MS_MAX) return void out.destroy();
    if (!isHeld && seen.text !== told && (isEnd || performance.now() >= tellFrom)) {
      if (told !== '') answer = await find();
      told = seen.text;
      const text = JSON.stringify(answer);
      if (text !== sent) out.write(`event: migration\ndata: ${text}\n\n`);
      [sent, heardAt] = [text, performance.now()];
      tellFrom = heardAt + (text.length / CHARS_PER_SECOND) * 1_000;
    } else if (!isHeld && performance.now() - heardAt > HEARTBEAT_MS) {
      out.write(': still here\n\n');
      heardAt = performance.now();
    }
    if (isEnd && MIGRATION_END_STATES.includes(answer.state)) {
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

function openEvents(reply: FastifyReply): ServerResponse {
  const headers = Object.fromEntries(Object.entries(reply.getHeaders()).filter(([, value]) => value !== undefined)) as Record<string, string>;
  reply.hijack();
  return reply.raw.writeHead(200, { ...headers, 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-store', 'x-accel-buffering': 'no' });
}
