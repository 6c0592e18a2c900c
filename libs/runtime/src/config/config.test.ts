import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  cellName,
  flag,
  keyMaterial,
  keyMaterialList,
  networkList,
  portNumber,
  toKeyRing,
  urlSecret,
  describeEnvironment,
} from './config.js';

describe('config values', () => {
  it('a configured key that is not 32 bytes long is rejected', () => {
    expect(keyMaterial().safeParse(Buffer.alloc(32, 1).toString('base64url')).success).toBe(true);
    for (const text of [
      '',
      'short',
      Buffer.alloc(31).toString('base64url'),
      Buffer.alloc(33).toString('base64url'),
      `${'A'.repeat(42)}!`,
    ])
      expect(keyMaterial().safeParse(text).success).toBe(false);
  });
  it('configured keys are returned newest first', () => {
    const [newest, first, second] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte).toString('base64url')) as [
      string,
      string,
      string,
    ];
    expect(keyMaterialList().parse(undefined)).toEqual([]);
    const ring = toKeyRing(keyMaterial().parse(newest), keyMaterialList().parse(`${first}, ${second}`));
    expect(ring.map((key) => key[0])).toEqual([1, 2, 3]);
    expect(keyMaterialList().safeParse(`${first},short`).success).toBe(false);
  });
  it('a configured address is printed without its password', () => {
    const parsed = urlSecret().parse('mysql://u:hunter2@h/d');
    expect(String(parsed)).not.toContain('hunter2');
    expect(urlSecret().safeParse('not an address').success).toBe(false);
  });
  it('a boolean variable accepts on, off and their synonyms, and rejects other values', () => {
    for (const text of ['on', '1', 'TRUE', 'yes']) expect(flag().parse(text)).toBe(true);
    for (const text of [undefined, 'off', '0', 'no', 'False']) expect(flag().parse(text)).toBe(false);
    expect(flag().safeParse('maybe').success).toBe(false);
  });
  it("a cell name that doesn't fit Redis keys and rows is rejected", () => {
    expect(cellName().parse(undefined)).toBe('c1');
    for (const text of ['C1', '1c', 'a b', 'a}b', 'a'.repeat(16)])
      expect(cellName().safeParse(text).success).toBe(false);
  });
  it('a variable with a list of networks is parsed, and an invalid network is rejected', () => {
    expect(networkList().parse(undefined)).toEqual([]);
    expect(networkList().parse(' 10.0.0.0/8, ::1 ,192.168.1.7')).toEqual([
      '10.0.0.0/8',
      '::1',
      '192.168.1.7',
    ]);
    for (const text of ['proxy', '10.0.0.0/33', '10.0.0', '::/129', '10.0.0.0/8/8', 'true'])
      expect(networkList().safeParse(text).success).toBe(false);
  });
});

describe('describeEnvironment', () => {
  it('describeEnvironment lists every variable with its default', () => {
    const schema = z.object({
      PORT: portNumber(80).describe('Where it listens'),
      NAME: z.string().optional().describe('A name'),
      KEY: keyMaterial().describe('A key'),
    });
    expect(describeEnvironment(schema)).toEqual([
      { name: 'PORT', text: 'Where it listens', fallback: '80', isRequired: false },
      { name: 'NAME', text: 'A name', fallback: '', isRequired: false },
      { name: 'KEY', text: 'A key', fallback: '', isRequired: true },
    ]);
  });
  it('describeEnvironment rejects a variable without a description', () => {
    expect(() => describeEnvironment(z.object({ PORT: portNumber(80) }))).toThrow('PORT');
  });
});
