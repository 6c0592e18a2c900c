import { EventEmitter } from 'node:events';
import type { MigrationResponse, MigrationState } from '@rowhouse/contracts';
import type { FastifyReply } from 'fastify';
import { expect, it } from 'vitest';
import { streamMigration, type FollowedMigration } from './stream-migration.js';

interface Setup {
  readonly reply: FastifyReply;
  readonly written: string[];
  readonly followed: FollowedMigration;
  /** The number of times the complete response was read. */
  finds: number;
  looks: number;
  state: MigrationState;
  progress: number;
  mayContinue: boolean;
  /** Sets whether the simulated client reads nothing of the stream. */
  holdsBack: (isHeld: boolean) => void;
}

/** Creates a migration with a plan of this many characters. */
function setUp(planChars: number): Setup {
  const written: string[] = [];
  const raw = Object.assign(new EventEmitter(), {
    destroyed: false,
    writableNeedDrain: false,
    writeHead: () => raw,
    write: (text: string) => written.push(text),
    end: (text: string) => void written.push(text),
    destroy: () => void (raw.destroyed = true),
  });
  const reply = { raw, getHeaders: () => ({}), hijack: () => undefined } as unknown as FastifyReply;
  const setup = {
    reply,
    written,
    finds: 0,
    looks: 0,
    state: 'running' as MigrationState,
    progress: 0,
    mayContinue: true,
    holdsBack: (isHeld: boolean) => void (raw.writableNeedDrain = isHeld),
  };
  const followed: FollowedMigration = {
    check: async () => ((setup.looks += 1), { state: setup.state, text: `${setup.state} ${setup.progress}` }),
    find: async () => (
      (setup.finds += 1),
      {
        state: setup.state,
        progress: setup.progress,
        plan: 'x'.repeat(planChars),
      } as unknown as MigrationResponse
    ),
    mayContinue: async () => setup.mayContinue,
  };
  return Object.assign(setup, { followed });
}

const eventsOf = ({ written }: Setup): string[] =>
  written.flatMap((text) => /^event: (\w+)/.exec(text)?.[1] ?? []);

it('a migration stream reads the complete migration only after a change', async () => {
  const setup = setUp(10);
  const following = streamMigration(setup.reply, setup.followed);
  await expect.poll(() => setup.looks).toBeGreaterThan(4);
  expect([setup.finds, eventsOf(setup)]).toEqual([1, ['migration']]);
  setup.progress = 50;
  await expect.poll(() => setup.finds).toBe(2);
  setup.state = 'published';
  await following;
  expect(eventsOf(setup)).toEqual(['migration', 'migration', 'migration', 'end']);
  expect(setup.written.at(-2)).toContain('published');
});

it('a migration stream sends a plan of megabytes less often, and the end at once', async () => {
  const setup = setUp(20_000_000);
  const following = streamMigration(setup.reply, setup.followed);
  await expect.poll(() => setup.looks).toBeGreaterThan(1);
  for (let change = 1; change <= 5; change += 1) {
    setup.progress = change;
    const { looks: checkCount } = setup;
    await expect.poll(() => setup.looks).toBeGreaterThan(checkCount);
  }
  expect(eventsOf(setup)).toEqual(['migration']);
  setup.state = 'failed';
  await following;
  expect(eventsOf(setup)).toEqual(['migration', 'migration', 'end']);
});

it('a migration stream continues while its caller has access', async () => {
  const setup = setUp(10);
  const following = streamMigration(setup.reply, setup.followed);
  setup.mayContinue = false;
  await following;
  expect(setup.reply.raw.destroyed).toBe(true);
  expect(eventsOf(setup)).toEqual(['migration']);
});

it('a migration stream pauses while its client reads nothing', async () => {
  const setup = setUp(10);
  const following = streamMigration(setup.reply, setup.followed);
  await expect.poll(() => setup.looks).toBeGreaterThan(1);
  setup.holdsBack(true);
  for (let change = 1; change <= 3; change += 1) {
    setup.progress = change;
    const { looks: checkCount } = setup;
    await expect.poll(() => setup.looks).toBeGreaterThan(checkCount);
  }
  setup.state = 'published';
  const { looks: checks } = setup;
  await expect.poll(() => setup.looks).toBeGreaterThan(checks + 1);
  expect(eventsOf(setup)).toEqual(['migration']);
  setup.holdsBack(false);
  await following;
  expect(eventsOf(setup)).toEqual(['migration', 'migration', 'end']);
});
