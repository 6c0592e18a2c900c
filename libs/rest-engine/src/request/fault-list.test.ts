import { describe, expect, it } from 'vitest';
import { createFaultList } from './fault-list.js';

describe('hints', () => {
  it('are looked for a few times, however many names are wrong', () => {
    const faults = createFaultList('body.invalid');
    expect(Array.from({ length: 12 }, () => faults.wantsHint()).filter(Boolean)).toHaveLength(10);
  });

  it('are looked for no more when as many as are told are there', () => {
    const faults = createFaultList('body.invalid');
    for (let at = 0; at < 5; at += 1) faults.add(['body', at], 'wrong', 'wrong', `hint ${at}`);
    expect(faults.wantsHint()).toBe(false);
  });
});
