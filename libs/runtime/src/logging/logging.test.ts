import { describe, expect, it } from 'vitest';
import { describeError, redactQuoted } from './describe-error.js';
import { createEventLog } from './event-log.js';
import { createLogger } from './logger.js';

describe('redactQuoted', () => {
  it('redactQuoted removes everything between quotes of any kind', () => {
    for (const text of [
      "Duplicate entry 'ann@secret' for key 'users.email'",
      "Truncated incorrect value: 'secret",
      "near ''secret'' at line 1",
      "it's a 'secret' isn't it",
      'Unexpected token s, "secret" is not valid JSON',
      'Unknown column `secret`',
      "Data too long: 'a\nsecret\nb'",
      `mixed "secret' and 'secret"`,
    ]) {
      expect(redactQuoted(text)).not.toContain('secret');
    }
  });
  it('redactQuoted keeps stack frames and text outside quotes', () => {
    expect(redactQuoted("errno 1062: Duplicate entry 'a' for key 'b' here")).toBe(
      "errno 1062: Duplicate entry '…' here",
    );
    expect(redactQuoted('Error: x\n    at file.js:1:2')).toBe('Error: x\n    at file.js:1:2');
    expect(redactQuoted('plain')).toBe('plain');
  });
});

describe('errors in the log', () => {
  const driverError = Object.assign(new Error("Duplicate entry 'canary' for key 'k'"), {
    code: 'ER_DUP_ENTRY',
    errno: 1062,
    sql: "CREATE USER x IDENTIFIED BY 'canary'",
    parameters: ['canary'],
    sqlMessage: 'canary',
  });

  it('an error is logged with its type, its message without values, and its origin', () => {
    const described = describeError(new TypeError('outer', { cause: driverError }));
    expect(described).toMatchObject({
      type: 'TypeError',
      message: 'outer',
      cause: { code: 'ER_DUP_ENTRY', errno: 1062, message: "Duplicate entry '…'" },
    });
    expect(described.stack).toContain('    at ');
    expect(JSON.stringify(described)).not.toContain('canary');
  });
  it('the logger accepts cyclic error causes and values that are not errors', () => {
    const first = new Error('a');
    const second = new Error('b', { cause: first });
    first.cause = second;
    expect(describeError(first).cause?.cause?.cause).not.toHaveProperty('cause');
    expect(describeError('text')).toEqual({ type: 'string', message: 'text' });
    expect(describeError(null)).toEqual({ type: 'object', message: '' });
  });
  it('the logger omits the statement and the values of a database error', () => {
    const lines: string[] = [];
    const logger = createLogger('test', 'info', { write: (line) => void lines.push(line) });
    logger.warn(
      {
        err: driverError,
        internal: "said 'canary'",
        part: 'x',
        credential: { password: 'canary', token: 'canary' },
      },
      'a step failed',
    );
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      service: 'test',
      part: 'x',
      err: { code: 'ER_DUP_ENTRY' },
      internal: "said '…'",
    });
    expect(lines[0]).not.toContain('canary');
  });
});

describe('the event log', () => {
  const open = (
    level = 'info',
    output?: (bytes: Buffer) => number,
  ): { lines: () => string[]; log: ReturnType<typeof createEventLog> } => {
    let text = '';
    const log = createEventLog({
      service: 'test',
      level,
      output:
        output ??
        ((bytes) => {
          text += bytes.toString();
          return bytes.length;
        }),
    });
    return { log, lines: () => text.split('\n').filter((line) => line !== '') };
  };

  it('the event log writes errors at once and buffers other lines', () => {
    const { log, lines } = open();
    log.write('info', '"a":1');
    expect(lines()).toEqual([]);
    log.write('error', '"a":2,"msg":"x"');
    expect(lines().map((line) => JSON.parse(line) as object)).toMatchObject([
      { level: 30, service: 'test', a: 1 },
      { level: 50, a: 2, msg: 'x' },
    ]);
    const { time } = JSON.parse(lines()[0] ?? '') as { time: string };
    expect(Math.abs(Date.parse(time) - Date.now())).toBeLessThan(5_000);
    expect(time).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });
  it('the event log writes a full buffer at once, and the rest when it closes', () => {
    const { log, lines } = open();
    for (let iteration = 0; iteration < 400; iteration += 1) log.write('info', `"n":${iteration}`);
    expect(lines().length).toBeGreaterThan(100);
    log.close();
    expect(lines()).toHaveLength(400);
  });
  it('the event log applies the level of the logger', () => {
    const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'];
    expect(levels.filter((level) => open(level).log.isEnabled('info'))).toEqual(['trace', 'debug', 'info']);
    expect(levels.filter((level) => open(level).log.isEnabled('error'))).toEqual([
      'trace',
      'debug',
      'info',
      'warn',
      'error',
    ]);
  });
  it('the event log continues after a partial write and limits its buffer for a blocked pipe', () => {
    let isFull = true;
    const parts: string[] = [];
    const { log } = open('info', (bytes) => {
      if (isFull) throw Object.assign(new Error('full'), { code: 'EAGAIN' });
      parts.push(bytes.subarray(0, 50_000).toString());
      return Math.min(bytes.length, 50_000);
    });
    for (let iteration = 0; iteration < 600; iteration += 1)
      log.write('error', `"n":${iteration},"x":"${'y'.repeat(10_000)}"`);
    isFull = false;
    log.close();
    const written = parts.join('');
    expect(written.length).toBeGreaterThan(4 * 1024 * 1024);
    expect(written.length).toBeLessThan(5 * 1024 * 1024);
    for (const line of written.trimEnd().split('\n')) expect(() => JSON.parse(line) as unknown).not.toThrow();
  });
  it('the event log releases its buffer when its reader has exited', () => {
    const { log } = open('info', () => {
      throw Object.assign(new Error('gone'), { code: 'EPIPE' });
    });
    expect(() => log.write('error', '"a":1')).not.toThrow();
  });
});
