import { randomBytes } from 'node:crypto';

/** Crockford's base32 digits, which omit letters that look like others. */
const DIGITS = '0123456789abcdefghjkmnpqrstvwxyz';
const CODE_LENGTH = 10;
export const RECOVERY_CODES = 10;

/** Generates recovery codes of 50 bits each, in the form `4f7qk-9d2xm`. */
export function generateRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const code = Array.from(randomBytes(CODE_LENGTH), (byte) => DIGITS[byte % DIGITS.length]).join('');
    return `${code.slice(0, CODE_LENGTH / 2)}-${code.slice(CODE_LENGTH / 2)}`;
  });
}

/** Returns the code as it was generated, without the hyphen. Corrects case, spaces and similar letters. */
export function normalizeRecoveryCode(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[\s-]+/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
}
