import { describe, expect, it } from 'vitest';
import { cellName, flag, keyMaterial, urlSecret } from './config-values.js';

describe('config values', () => {
  it('take 32 bytes of key material and nothing else', () => {
    expect(keyMaterial().safeParse(Buffer.alloc(32, 1).toString('base64url')).success).toBe(true);
    for (const text of ['', 'short', Buffer.alloc(31).toString('base64url'), Buffer.alloc(33).toString('base64url'), `${'A'.repeat(42)}!`]) expect(keyMaterial().safeParse(text).success).toBe(false);
  });
  it('keep addresses with passwords unprinted', () => {
    const parsed = urlSecret().parse('mysql://u:hunter2@h/d');
    expect(String(parsed)).not.toContain('hunter2');
    expect(urlSecret().safeParse('not an address').success).toBe(false);
  });
  it('read flags', () => {
    for (const text of ['on', '1', 'TRUE', 'yes']) expect(flag().parse(text)).toBe(true);
    for (const text of [undefined, 'off', '0', 'no', 'maybe']) expect(flag().parse(text)).toBe(false);
  });
  it('name cells so that Redis keys and rows can hold them', () => {
    expect(cellName().parse(undefined)).toBe('c1');
    for (const text of ['C1', '1c', 'a b', 'a}b', 'a'.repeat(16)]) expect(cellName().safeParse(text).success).toBe(false);
  });
});
