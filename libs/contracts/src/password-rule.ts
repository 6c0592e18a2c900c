/**
 * The password rule, which follows NIST SP 800-63B. A password must have a minimum length, and must be
 * neither a common password nor the account's email address. No mixture of character classes is required.
 * This file does not use zod, so that the console can apply the rule before it sends a form.
 */
export const PASSWORD_LENGTH_MIN = 8;
export const PASSWORD_LENGTH_MAX = 200;
export const PASSWORD_RULE = 'At least 8 characters. Avoid common passwords and your email address.';

/**
 * Passwords of at least eight characters that are frequent in lists of leaked passwords, in lower case. They
 * are rejected with digits at the end too.
 */
const COMMONEST = new Set(
  (
    'password passw0rd p@ssword p@ssw0rd pa$$word passwort motdepasse contrasena senha123 iloveyou princess sunshine football baseball superman batman123 ' +
    'starwars trustno1 whatever jennifer michelle michael1 computer internet samsung1 liverpool chocolate butterfly pokemon123 dragon123 monkey123 ' +
    'qwertyui qwertyuiop qwerty123 qwert123 qazwsxedc 1qaz2wsx 1q2w3e4r 1q2w3e4r5t q1w2e3r4 zaq12wsx zxcvbnm1 asdfghjk asdfghjkl asdf1234 abcd1234 abc12345 a1b2c3d4 ' +
    'aa123456 a1234567 1234qwer letmein1 welcome1 welcome123 changeme changeme123 administrator admin123 adminadmin root1234 rootroot test1234 testtest guest123 ' +
    'default1 secret123 master123 login123 hello123 mysecret rowhouse database mariadb1 mysql123'
  ).split(' '),
);
const RUNS =
  '01234567890123456789 98765432109876543210 abcdefghijklmnopqrstuvwxyz zyxwvutsrqponmlkjihgfedcba';

/**
 * Returns the reason why a password is rejected, as a text for users. Returns null if it is accepted. `email`
 * is the address as the user typed it, or null if it is unknown.
 */
export function findPasswordFault(password: string, email: string | null): string | null {
  const { length } = Array.from(password);
  if (length < PASSWORD_LENGTH_MIN) return `must have at least ${PASSWORD_LENGTH_MIN} characters`;
  if (password.length > PASSWORD_LENGTH_MAX) return `must have at most ${PASSWORD_LENGTH_MAX} characters`;
  const plain = password.trim().toLowerCase();
  if (isCommon(plain)) return 'is too common: choose a less predictable one';
  const address = email?.trim().toLowerCase() ?? '';
  if (address !== '' && (plain === address || plain === address.split('@')[0]))
    return 'must not be the email address';
  return null;
}

function isCommon(plain: string): boolean {
  const word = plain.replace(/[\d!?.]+$/, '');
  return COMMONEST.has(plain) || COMMONEST.has(word) || RUNS.includes(plain) || isRepeated(plain);
}

/** Reports whether a text repeats up to four characters, such as `aaaaaaaa` or `12341234`. */
function isRepeated(plain: string): boolean {
  return /^(.{1,4})\1+$/u.test(plain);
}
