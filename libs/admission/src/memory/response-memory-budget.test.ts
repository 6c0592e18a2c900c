import { describe, expect, it } from 'vitest';
import { createResponseMemoryBudget } from './response-memory-budget.js';

const MIB = 1024 * 1024;

describe('the memory of responses', () => {
  it('a response below 256 KiB uses nothing of the response memory budget', () => {
    const bytes = createResponseMemoryBudget({ processBytesMax: MIB, databaseBytesMax: MIB });
    const holds = Array.from({ length: 100 }, () => bytes.open('a'));
    for (const hold of holds) hold.add(200_000);
    expect([bytes.heldBytes(), holds.some((hold) => hold.isHolding())]).toEqual([0, false]);
  });
  it('a database that has used its memory share gets limit.concurrency, and others are served', () => {
    const bytes = createResponseMemoryBudget({ processBytesMax: 8 * MIB, databaseBytesMax: MIB });
    const [answerHold, two, other] = [bytes.open('a'), bytes.open('a'), bytes.open('b')];
    answerHold.add(MIB);
    expect(() => two.add(MIB)).toThrow(
      expect.objectContaining({ code: 'limit.concurrency', retryAfterSeconds: 1 }),
    );
    other.add(MIB);
    answerHold.release();
    answerHold.release();
    two.release();
    two.add(MIB);
    expect(bytes.heldBytes()).toBe(2 * MIB);
  });
  it('a response gets limit.busy when the process has used its response memory budget', () => {
    const bytes = createResponseMemoryBudget({ processBytesMax: 2 * MIB, databaseBytesMax: MIB });
    const holds = ['a', 'b', 'c'].map((id) => bytes.open(id));
    holds[0]?.add(MIB);
    holds[1]?.add(MIB);
    expect(() => holds[2]?.add(MIB)).toThrow(
      expect.objectContaining({ code: 'limit.busy', retryAfterSeconds: 1 }),
    );
    for (const hold of holds) hold.release();
    expect(bytes.heldBytes()).toBe(0);
    holds[2]?.add(MIB);
  });
});
