import { describe, expect, it } from 'vitest';
import { findToday } from './question-context.js';

const LATE = Date.UTC(2026, 10, 21, 23, 30);

describe('findToday', () => {
  it.each([
    ['UTC', '2026-11-21'],
    ['Z', '2026-11-21'],
    ['Europe/Berlin', '2026-11-22'],
    ['+02:00', '2026-11-22'],
    ['America/New_York', '2026-11-21'],
    ['Nowhere/Land', '2026-11-21'],
  ])('findToday returns for the time zone %s the date %s', (zone, day) => {
    expect(findToday(LATE, zone)).toBe(day);
  });
});
