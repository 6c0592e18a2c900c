import { describe, expect, it } from 'vitest';
import {
  formatSlot,
  generateApiKey,
  generatePassword,
  generateToken,
  hashToken,
  isApiKeyForm,
  SLOT_COUNT,
} from './api-key.js';

describe('API keys', () => {
  it('an API key contains its environment and ends with 38 random characters', () => {
    expect(generateApiKey('production', 1)).toMatch(/^rh_prod_[0-9A-Za-z]{38}$/);
    expect(generateApiKey('development', 1)).toMatch(/^rh_dev_[0-9A-Za-z]{38}$/);
    expect(generateApiKey('staging-2', 1)).toMatch(/^rh_staging-2_[0-9A-Za-z]{38}$/);
  });
  it('the random part of an API key starts with its routing slot', () => {
    for (const [slot, text] of [
      [0, '000'],
      [1, '001'],
      [61, '00z'],
      [62, '010'],
      [3_843, '0zz'],
      [3_844, '100'],
      [SLOT_COUNT - 1, 'H31'],
    ] as const) {
      expect(formatSlot(slot)).toBe(text);
      expect(generateApiKey('production', slot).slice('rh_prod_'.length)).toMatch(new RegExp(`^${text}`));
    }
  });
  it('an API key of an early release is recognized', () => {
    expect(isApiKeyForm('rh_dev_0AaExample7Example7Example7Examp0XSZRr')).toBe(true);
  });
  it('an API key with one changed character is not recognized', () => {
    const key = generateApiKey('production', 4_711);
    expect(isApiKeyForm(key)).toBe(true);
    for (let index = 'rh_prod_'.length; index < key.length; index += 1) {
      const changed = key.slice(0, index) + (key[index] === 'a' ? 'b' : 'a') + key.slice(index + 1);
      expect(isApiKeyForm(changed)).toBe(false);
    }
  });
  it('an API key with another environment, a suffix or a wrong length is rejected', () => {
    const key = generateApiKey('production', 1);
    for (const text of [
      key.replace('prod', 'dev'),
      `${key}a`,
      key.slice(0, -1),
      ` ${key}`,
      '',
      'rh_',
      key.padEnd(5_000, 'a'),
    ])
      expect(isApiKeyForm(text)).toBe(false);
  });
  it('generated API keys are unique', () => {
    expect(new Set(Array.from({ length: 1_000 }, () => generateApiKey('production', 1))).size).toBe(1_000);
  });
});

describe('other tokens', () => {
  it('each kind of token has its own prefix and length', () => {
    expect(generateToken('rhs')).toMatch(/^rhs_[0-9A-Za-z]{40}$/);
    expect(generatePassword()).toMatch(/^[0-9A-Za-z]{32}$/);
  });
  it('a token hash has 32 bytes, which depend on pepper and token', () => {
    const pepper = Buffer.alloc(32, 1);
    expect(hashToken(pepper, 'a')).toHaveLength(32);
    expect(hashToken(pepper, 'a')).toEqual(hashToken(pepper, 'a'));
    expect(hashToken(pepper, 'a')).not.toEqual(hashToken(pepper, 'b'));
    expect(hashToken(Buffer.alloc(32, 2), 'a')).not.toEqual(hashToken(pepper, 'a'));
  });
});
