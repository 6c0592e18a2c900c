import type { BodyOwner } from '@rowhouse/admission';
import { describe, expect, it } from 'vitest';
import { createLargeBodies } from './large-bodies.js';

const LARGE = Buffer.alloc(17 * 1024);
/** A scheduler whose slices run at once. */
const iterations = {
  wait: (_owner: string, resume: () => void): void => resume(),
  hasActiveNeighbors: () => false,
};

const of = (schemaName: string, ownerId = schemaName): BodyOwner => ({ ownerId, schemaName });

async function take(
  bodies: ReturnType<typeof createLargeBodies>,
  many: number,
  schema = 'a',
): Promise<{ leaves: (() => void)[] }> {
  const leaves: (() => void)[] = [];
  // If a body still waits at the end of a test, it is rejected when its time is over.
  for (let index = 0; index < many; index += 1)
    void bodies.enter(of(schema), LARGE)?.then(
      (leave) => leaves.push(leave),
      () => undefined,
    );
  await new Promise((resolve) => setImmediate(resolve));
  return { leaves };
}

describe('large bodies', () => {
  it('a few large bodies are processed at once, in the order of their arrival', async () => {
    const { leaves } = await take(createLargeBodies(iterations), 8);
    expect(leaves).toHaveLength(5);
    leaves[0]?.();
    leaves[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(leaves).toHaveLength(7);
  });

  it('two large bodies of a database are processed while other tenants are active', async () => {
    let isAlone = false;
    const { leaves } = await take(
      createLargeBodies({ ...iterations, hasActiveNeighbors: () => !isAlone }),
      8,
    );
    expect(leaves).toHaveLength(2);
    leaves[0]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(leaves).toHaveLength(3);
    isAlone = true;
    leaves[1]?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(leaves).toHaveLength(7);
  });

  it('a large body does not wait for those of another database', async () => {
    const bodies = createLargeBodies(iterations);
    await take(bodies, 8, 'a');
    expect((await take(bodies, 2, 'b')).leaves).toHaveLength(2);
  });

  it('a large body with a slot waits for a slice of the event loop', async () => {
    const waiting: string[] = [];
    const { leaves } = await take(
      createLargeBodies({ ...iterations, wait: (owner) => void waiting.push(owner) }),
      8,
    );
    expect(waiting).toEqual(['a', 'a', 'a', 'a', 'a']);
    expect(leaves).toEqual([]);
  });

  it('a large body is rejected with a retry time when too many wait', async () => {
    const bodies = createLargeBodies(iterations);
    await take(bodies, 5 + 512);
    await expect(bodies.enter(of('a'), LARGE)).rejects.toMatchObject({
      code: 'limit.busy',
      retryAfterSeconds: 1,
    });
  });

  /** Returns how many of twelve bodies are admitted. */
  async function countAccepted(
    bodies: ReturnType<typeof createLargeBodies>,
    holder: BodyOwner,
  ): Promise<number> {
    let count = 0;
    for (let index = 0; index < 12; index += 1) {
      const isRejected = await Promise.race([
        bodies.enter(holder, LARGE)?.then(
          () => false,
          () => true,
        ),
        new Promise((resolve) => setImmediate(resolve, false)),
      ]);
      if (isRejected !== true) count += 1;
    }
    return count;
  }

  it('the large bodies of a database hold at most three eighths of the budget', async () => {
    const bodies = createLargeBodies(iterations, 12 * LARGE.length);
    expect([
      await countAccepted(bodies, of('a')),
      await countAccepted(bodies, of('b')),
      await countAccepted(bodies, of('c')),
    ]).toEqual([5, 3, 2]);
  });

  it("the large bodies of an account's databases hold at most half of the budget", async () => {
    const bodies = createLargeBodies(iterations, 96 * LARGE.length);
    const accepted: number[] = [];
    for (let index = 0; index < 24; index += 1)
      accepted.push(await countAccepted(bodies, of(`p${index}`, 'many')));
    expect([accepted.reduce((sum, count) => sum + count, 0), accepted.slice(0, 6)]).toEqual([
      48,
      [12, 12, 12, 9, 3, 0],
    ]);
    expect([
      await countAccepted(bodies, of('q', 'other')),
      await countAccepted(bodies, of('r', 'third')),
    ]).toEqual([12, 12]);
  });

  it('the memory of a large body is released when it is processed or rejected', async () => {
    const bodies = createLargeBodies(iterations, 6 * LARGE.length);
    const { leaves } = await take(bodies, 4);
    expect(leaves).toHaveLength(3);
    for (const leave of leaves) leave();
    expect((await take(bodies, 4)).leaves).toHaveLength(3);
  });

  it('waiting large bodies leave memory for streamed bodies', () => {
    const bodies = createLargeBodies(iterations, 1024 * 1024);
    const [item, other, third] = [bodies.hold(of('a')), bodies.hold(of('a')), bodies.hold(of('b'))];
    item.resize(64 * 1024 + 500 * 1024);
    expect(() => other.resize(64 * 1024 + 100 * 1024)).toThrow(
      expect.objectContaining({ code: 'limit.busy' }),
    );
    other.resize(64 * 1024);
    third.resize(64 * 1024 + 250 * 1024);
    item.resize(0);
    other.resize(64 * 1024 + 300 * 1024);
    for (const held of [item, other, third]) held.end();
    bodies.hold(of('c')).resize(64 * 1024 + 1024 * 1024);
  });

  it('a small or missing body does not count as large', () => {
    const bodies = createLargeBodies(iterations);
    expect(bodies.enter(of('a'), Buffer.alloc(16 * 1024))).toBeNull();
    expect(bodies.enter(of('a'), null)).toBeNull();
  });
});
