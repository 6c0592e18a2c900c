import { describe, expect, it } from 'vitest';
import { createBreaker, type Breaker } from './breaker.js';

const OPTIONS = { failuresMax: 3, coolDownMs: 100, probeMsMax: 300 };

/** Returns a circuit breaker that opened at time 0. */
function openBreaker(): Breaker {
  const breaker = createBreaker(OPTIONS);
  for (let failure = 1; failure <= OPTIONS.failuresMax; failure += 1)
    expect(breaker.failed(0, -10)).toBe(failure === OPTIONS.failuresMax);
  return breaker;
}

describe('the circuit breaker of a server', () => {
  it('a connection breaker opens after consecutive failures without a success in between', () => {
    const breaker = createBreaker(OPTIONS);
    breaker.failed(1, 0);
    breaker.failed(2, 0);
    breaker.succeeded(3);
    expect([breaker.failed(5, 4), breaker.failed(6, 4)]).toEqual([false, false]);
    expect(breaker.mayTry(6)).toBe(true);
    expect(breaker.failed(7, 4)).toBe(true);
    expect([breaker.isOpen(), breaker.isBlocked(106), breaker.mayTry(106)]).toEqual([true, true, false]);
  });

  it('a connection breaker admits only one probe after its cool-down', () => {
    const breaker = openBreaker();
    expect([breaker.isBlocked(99), breaker.isBlocked(100)]).toEqual([true, false]);
    expect(breaker.mayTry(100)).toBe(true);
    for (const nowMs of [100, 150, 200, 250, 399])
      expect([nowMs, breaker.isBlocked(nowMs), breaker.mayTry(nowMs)]).toEqual([nowMs, true, false]);
  });

  it('a connection breaker admits the next probe one cool-down after a failed probe', () => {
    const breaker = openBreaker();
    breaker.mayTry(100);
    expect(breaker.failed(250, 100)).toBe(true);
    expect([breaker.mayTry(349), breaker.mayTry(350), breaker.mayTry(350)]).toEqual([false, true, false]);
  });

  it('a connection breaker admits another probe when one gets no response', () => {
    const breaker = openBreaker();
    breaker.mayTry(100);
    expect([breaker.mayTry(399), breaker.mayTry(400), breaker.mayTry(401)]).toEqual([false, true, false]);
    // The earlier probe, which got no response, fails now. The later one is still the current probe.
    breaker.failed(410, 100);
    expect(breaker.mayTry(600)).toBe(false);
    expect(breaker.mayTry(700)).toBe(true);
  });

  it('a connection breaker admits the next probe at once after the server rejected an account', () => {
    const breaker = openBreaker();
    breaker.mayTry(100);
    breaker.rejected(100);
    expect([breaker.isOpen(), breaker.mayTry(110), breaker.mayTry(110)]).toEqual([true, true, false]);
  });

  it('a success closes the connection breaker, which then ignores failures of earlier attempts', () => {
    const breaker = openBreaker();
    breaker.mayTry(100);
    breaker.mayTry(400);
    breaker.succeeded(420);
    expect([breaker.isOpen(), breaker.mayTry(420), breaker.mayTry(420)]).toEqual([false, true, true]);
    for (let late = 0; late < 10; late += 1) expect(breaker.failed(1_600 + late, 100)).toBe(false);
    expect(breaker.isBlocked(1_700)).toBe(false);
    for (let fresh = 1; fresh <= OPTIONS.failuresMax; fresh += 1)
      expect(breaker.failed(1_800, 1_700)).toBe(fresh === OPTIONS.failuresMax);
  });
});
