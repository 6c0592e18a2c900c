import { expect, it } from 'vitest';
import { failedMigrationMail, invitationMail } from './mail-texts.js';

it('lets no name break out of a subject', () => {
  const mail = invitationMail('a@example.test', { organization: 'Row\r\nBcc: b@example.test', by: 'Ann\u2028', role: 'viewer', url: 'http://x/invitations/t' });
  expect(mail.subject).toBe('Invitation to Row Bcc: b@example.test');
  expect(mail.text).toContain('Ann invites you');
  expect(mail.text).toContain('http://x/invitations/t');
});

it('tells a failure from what needs a person', () => {
  const about = { project: 'Blog', environment: 'production', detail: 'd', url: 'u' };
  expect(failedMigrationMail('a@example.test', { ...about, state: 'failed' }).subject).toBe('Migration failed: Blog, production');
  expect(failedMigrationMail('a@example.test', { ...about, state: 'needs_attention' }).subject).toContain('needs attention');
});
