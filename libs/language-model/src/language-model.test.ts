import { describe, expect, it } from 'vitest';
import { createBreaker, type Breaker } from './breaker.js';
import { FIRST_CAPABILITIES, learnCapabilities } from './create-model-client.js';
import { ModelFault, toModelError } from './model-fault.js';
import { readCompletion } from './read-completion.js';
import { readFault, readRetryAfter } from './read-fault.js';

const complain = (status: number, message: string, code = ''): string =>
  readFault({ status, code, type: '', param: '', message, headers: null }).kind;

describe('readFault', () => {
  it.each([
    [401, 'Incorrect API key', '', 'key'],
    [403, 'flagged by our moderation system', '', 'refused'],
    [402, 'pay', '', 'quota'],
    [429, 'Rate limit reached', '', 'busy'],
    [429, 'You exceeded your current quota', 'insufficient_quota', 'quota'],
    [429, 'Request too large: maximum context length', '', 'too_long'],
    [404, 'no', '', 'unknown_model'],
    [413, '', '', 'too_long'],
    [400, 'max_tokens is not supported', '', 'form'],
    [400, "This model's maximum context length is 8192 tokens", 'context_length_exceeded', 'too_long'],
    [400, 'filtered', 'content_filter', 'refused'],
    [400, 'The model gpt-9 does not exist', '', 'unknown_model'],
    [422, 'extra fields not permitted: response_format', '', 'form'],
    [500, 'json_schema is not implemented', '', 'form'],
    [500, 'oops', '', 'transport'],
    [529, 'overloaded', '', 'transport'],
  ] as const)('a model response with status %i and %s is classified as %s', (status, message, code, kind) => {
    expect(complain(status, message, code)).toBe(kind);
  });

  it('readRetryAfter parses seconds, milliseconds and dates', () => {
    const index = Date.parse('2026-11-21T10:00:00Z');
    const wait = (headers: Record<string, string>): number | null =>
      readRetryAfter(new Headers(headers), index);
    expect([
      wait({}),
      wait({ 'retry-after': '7' }),
      wait({ 'retry-after-ms': '250', 'retry-after': '9' }),
      wait({ 'retry-after': 'Sat, 21 Nov 2026 10:01:00 GMT' }),
      wait({ 'retry-after': 'soon' }),
      wait({ 'retry-after': '-3' }),
    ]).toEqual([null, 7_000, 250, 60_000, null, null]);
  });
});

describe('learnCapabilities', () => {
  it('learnCapabilities changes one capability per rejection until none is left', () => {
    expect(learnCapabilities(FIRST_CAPABILITIES, "'max_tokens' is not supported")).toMatchObject({
      tokens: 'max_completion_tokens',
      format: 'json_schema',
    });
    expect(
      learnCapabilities(
        { ...FIRST_CAPABILITIES, tokens: 'max_completion_tokens' },
        'max_completion_tokens: extra fields not permitted',
      ),
    ).toMatchObject({ tokens: 'none' });
    expect(learnCapabilities(FIRST_CAPABILITIES, 'temperature does not support 0')).toMatchObject({
      temperature: false,
    });
    expect(learnCapabilities(FIRST_CAPABILITIES, "role 'system' is not supported")).toMatchObject({
      systemRole: false,
    });
    expect(learnCapabilities(FIRST_CAPABILITIES, 'only supports stream mode')).toMatchObject({
      stream: true,
    });
    let capabilities: ReturnType<typeof learnCapabilities> = FIRST_CAPABILITIES;
    let steps = 0;
    for (; capabilities !== null && steps < 20; steps += 1)
      capabilities = learnCapabilities(capabilities, 'no');
    expect(steps).toBe(4);
  });
});

describe('readCompletion', () => {
  const fault = (value: unknown): string => {
    try {
      return readCompletion(value).fault?.kind ?? 'none';
    } catch (error) {
      return `thrown ${(error as ModelFault).kind}`;
    }
  };
  const answer = (message: unknown, finish = 'stop'): unknown => ({
    choices: [{ finish_reason: finish, message }],
  });

  it('readCompletion reports every kind of unusable model response', () => {
    expect(fault(answer({ content: 'x' }))).toBe('none');
    expect(fault(answer({ content: '' }))).toBe('bad_output');
    expect(fault(answer({ content: 'x' }, 'length'))).toBe('truncated');
    expect(fault(answer({ content: null, refusal: 'no' }))).toBe('refused');
    expect(fault(answer({ content: 'x' }, 'content_filter'))).toBe('refused');
    expect(fault('<html>')).toBe('thrown transport');
    expect(fault('data: {}')).toBe('thrown form');
    expect(fault({})).toBe('thrown bad_output');
    expect(fault({ error: { code: 429, message: 'slow' } })).toBe('thrown busy');
    expect(fault({ error: 'gone' })).toBe('thrown transport');
    expect(fault(null)).toBe('thrown bad_output');
  });

  it('readCompletion removes reasoning text and ignores implausible token counts', () => {
    expect(
      readCompletion({
        ...(answer({ content: '<think>DROP</think> yes' }) as object),
        usage: { prompt_tokens: 'many' },
      }),
    ).toMatchObject({ text: 'yes', usage: null });
    expect(
      readCompletion({
        ...(answer({ content: 'y' }) as object),
        usage: { prompt_tokens: 3, completion_tokens: 4.4 },
      }),
    ).toMatchObject({ usage: { tokensIn: 3, tokensOut: 4 } });
  });
});

describe('circuit breaker', () => {
  const rests = (breaker: Breaker, nowMs: number): number => breaker.enter(nowMs).pauseMs;

  function openBreaker(): Breaker {
    const breaker = createBreaker();
    for (let count = 0; count < 5; count += 1) {
      expect(rests(breaker, 0)).toBe(0);
      breaker.failed(0, null);
    }
    return breaker;
  }

  it('the breaker of a language model opens after several faults, for at most a minute', () => {
    const breaker = openBreaker();
    expect(rests(breaker, 1)).toBe(9_999);
    expect(breaker.enter(10_000)).toEqual({ pauseMs: 0, isTrial: true });
    breaker.failed(10_000, 3_600_000);
    expect(rests(breaker, 10_000)).toBe(60_000);
    breaker.enter(70_000);
    breaker.succeeded();
    breaker.failed(80_000, null);
    expect(rests(breaker, 80_000)).toBe(0);
  });

  it('the breaker of a language model admits one trial request at a time after its pause', () => {
    const breaker = openBreaker();
    expect([breaker.enter(10_000), breaker.enter(10_000), breaker.enter(25_000)]).toEqual([
      { pauseMs: 0, isTrial: true },
      { pauseMs: 1_000, isTrial: false },
      { pauseMs: 1_000, isTrial: false },
    ]);
    // The caller of the trial disconnects, so the next request becomes the trial. Its response closes the
    // breaker.
    breaker.trialAbandoned();
    expect([breaker.enter(25_000).isTrial, rests(breaker, 25_000)]).toEqual([true, 1_000]);
    breaker.succeeded();
    expect([rests(breaker, 25_001), rests(breaker, 25_001)]).toEqual([0, 0]);
  });
});

it('an error of a language model never contains text of its server', () => {
  const error = toModelError(new ModelFault('key', 'Incorrect API key provided: sk-secret', 4_200_000));
  expect(error).toMatchObject({ code: 'llm.unavailable', status: 503 });
  expect(JSON.stringify([error.detail, error.hint, error.internal, error.extra])).not.toContain('sk-secret');
  expect(toModelError(new ModelFault('busy', '', 4_200_000)).retryAfterSeconds).toBe(3_600);
});
