import { quoteWideNumbers } from '@rowhouse/rest-engine';
import type { LongForm } from '@rowhouse/schema-model';
import { describe, expect, it } from 'vitest';
import { ByteBuffer } from './byte-buffer.js';
import { digestLarge, digestLargeSteps, SLICE_BYTES, writeLong } from './large-value.js';

/**
 * The maximum number of bytes that one step writes. An escape takes up to six bytes for one byte, and the
 * value has two quotes.
 */
const STEP_BYTES_MAX = 6 * SLICE_BYTES + 2;
const BYTES = 1_000_001;

/** Writes a value, and returns its text and the maximum number of bytes written in one step. */
function write(form: LongForm, bytes: Buffer): { text: string; stepBytes: number } {
  const to = new ByteBuffer(16);
  let [before, stepBytes] = [0, 0];
  for (const _step of writeLong(
    { long: form, needsQuotes: (number) => quoteWideNumbers(number) !== number },
    to,
    Buffer.concat([Buffer.from('..'), bytes, Buffer.from('..')]),
    2,
    bytes.length + 2,
  )) {
    stepBytes = Math.max(stepBytes, to.at - before);
    before = to.at;
  }
  return { text: to.bytes.toString('utf8', 0, to.at), stepBytes: Math.max(stepBytes, to.at - before) };
}

const repeat = (text: string): string => text.repeat(Math.ceil(BYTES / text.length));
const quoteCsv = (text: string): string =>
  /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;

describe('large values', () => {
  it.each(['x', '\u0001', '"', '\\', 'ä', '😀', 'a\n"b\\ä😀'])(
    'the text %j has the same JSON and CSV in slices as from JSON.stringify and quoteCsv',
    (unit) => {
      const text = repeat(unit);
      for (const [form, expected] of [
        ['text', JSON.stringify(text)],
        ['field', quoteCsv(text)],
      ] as const) {
        const written = write(form, Buffer.from(text));
        expect(written.text === expected, form).toBe(true);
        expect(written.stepBytes).toBeLessThanOrEqual(STEP_BYTES_MAX);
      }
    },
  );

  it('a large value that starts like a formula gets an apostrophe in a CSV field', () => {
    expect(write('harmless_field', Buffer.from(repeat('=1+'))).text.slice(0, 4)).toBe("'=1+");
    expect(write('harmless_field', Buffer.from(repeat('\n='))).text.slice(0, 4)).toBe(`"'\n=`);
    expect(write('harmless_field', Buffer.from(repeat('＝1'))).text.slice(0, 3)).toBe("'＝1");
    expect(write('harmless_field', Buffer.from(repeat('a=,'))).text.slice(0, 4)).toBe('"a=,');
  });

  it('a large JSON value is written as stored, and invalid JSON becomes a string', () => {
    const json = `[\n${repeat('1,\r\n')}"a"]`;
    expect(write('json', Buffer.from(json)).text === json).toBe(true);
    expect(write('json_line', Buffer.from(json)).text === json.replaceAll(/[\r\n]/g, ' ')).toBe(true);
    expect(write('json_field', Buffer.from(json)).text === quoteCsv(json)).toBe(true);
    expect(write('json', Buffer.from(`${json}]`)).text === JSON.stringify(`${json}]`)).toBe(true);
    expect(write('json_field', Buffer.from(`${json}]`)).text === quoteCsv(JSON.stringify(`${json}]`))).toBe(
      true,
    );
  });

  it('a large JSON value gets quotes around numbers that a double cannot represent', () => {
    const json = `[\n${repeat('1147386954405658711, -0.5, "\\\\\\" 1147386954405658711",\n{"a":1e400},')}9007199254740993]`;
    const { text, stepBytes } = write('exact_json', Buffer.from(json));
    expect(text === quoteWideNumbers(json)).toBe(true);
    expect(stepBytes).toBeLessThanOrEqual(2 * SLICE_BYTES);
    expect(
      write('exact_json_line', Buffer.from(json)).text === quoteWideNumbers(json).replaceAll(/[\r\n]/g, ' '),
    ).toBe(true);
    expect(write('exact_json', Buffer.from(`${json}]`)).text === JSON.stringify(`${json}]`)).toBe(true);
  });

  it.each([BYTES, BYTES + 1, BYTES + 2])('%i bytes are written as base64 in slices', (length) => {
    const bytes = Buffer.alloc(length, 'any bytes');
    const { text, stepBytes } = write('base64', bytes);
    expect(text === `"${bytes.toString('base64')}"`).toBe(true);
    expect(stepBytes).toBeLessThanOrEqual(2 * SLICE_BYTES);
    expect(write('base64_field', bytes).text === bytes.toString('base64')).toBe(true);
  });

  it('a large value with invalid UTF-8 is written in the same way as by a decoder', () => {
    const bytes = Buffer.concat([Buffer.alloc(BYTES, 'x'), Buffer.of(0xff)]);
    expect(write('text', bytes).text.endsWith('x\ufffd"')).toBe(true);
  });

  it('the digest of a large value is the same whether computed in slices or at once', () => {
    const bytes = Buffer.alloc(BYTES, 'digest');
    let steps = 0;
    const work = digestLargeSteps(bytes);
    for (let step = work.next(); ; step = work.next()) {
      if (step.done === true) {
        expect(step.value).toBe(digestLarge(bytes));
        break;
      }
      steps += 1;
    }
    expect(steps).toBeGreaterThan(3);
  });
});
