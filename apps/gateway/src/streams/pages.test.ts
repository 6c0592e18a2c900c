import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createPages, PAGE_BYTES } from './pages.js';

describe('the pages of a stream', () => {
  it('the pages of a stream are sent in order and reused afterwards', () => {
    const sent: string[] = [];
    const chunks: Buffer[] = [];
    const pending: (() => void)[] = [];
    const target = new Writable({
      highWaterMark: 1,
      write(chunk: Buffer, _encoding, done) {
        sent.push(chunk.toString('utf8'));
        chunks.push(chunk);
        pending.push(done);
      },
    });
    const pages = createPages();
    let expected = '';
    for (let index = 0; index < 20_000; index += 1) {
      const text = `€${index}\u{1f600}\n`;
      expected += text;
      if (!pages.write(text)) {
        pages.flush(target);
        expect(pages.write(text)).toBe(true);
        pending.shift()?.();
      }
    }
    pages.flush(target);
    while (pending.length > 0) pending.shift()?.();
    expect(sent.join('')).toBe(expected);
    expect(new Set(chunks.map((chunk) => chunk.buffer)).size).toBeLessThan(chunks.length);
    expect(pages.waiting()).toBe(0);
  });

  it('a stream page rejects a text longer than a page', () => {
    const pages = createPages();
    expect(pages.write('x'.repeat(PAGE_BYTES))).toBe(false);
    expect(pages.write('x')).toBe(true);
    expect(pages.waiting()).toBe(1);
  });
});
