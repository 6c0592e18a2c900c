import { expect, it } from 'vitest';
import { describeMail } from './describe-mail.js';

it('describeMail announces an email only if one was sent', () => {
  expect(describeMail({ is_mailed: true }, 'ann@example.test')).toBe(
    'We’ve sent an email to ann@example.test.',
  );
  expect(describeMail({ is_mailed: false }, 'ann@example.test')).toContain('isn’t set up');
});
