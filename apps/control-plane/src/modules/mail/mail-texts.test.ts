import { expect, it } from 'vitest';
import { failedMigrationMail, invitationMail } from './mail-texts.js';

it('a name cannot add headers to an email subject', () => {
  const mail = invitationMail('a@example.test', {
    organization: 'Row\r\nBcc: b@example.test',
    by: { name: 'Ann\u2028', email: 'ann@example.test' },
    role: 'viewer',
    url: 'http://x/invitations/t',
  });
  expect(mail.subject).toBe('Invitation to Row Bcc: b@ example. test');
  expect(mail.text).toContain('Ann (ann@example.test) invites you');
  expect(mail.text).toContain('http://x/invitations/t');
});

it.each([
  'https://evil.example/login',
  'evil.example/login',
  'www.evil.example',
  'HTTP:\\\\evil.example',
  'evil\u3002example',
  'evil\uff0eexample',
  'mailto:a@evil.example',
  'https://[2001:db8::1]/',
  'evil.\u200dexample',
])('a name such as %s does not become a link in an email', (name) => {
  const about = { role: 'viewer', url: 'http://x/invitations/t' } as const;
  const { subject, text } = invitationMail('a@example.test', {
    ...about,
    organization: name,
    by: { name, email: 'ann@example.test' },
  });
  for (const part of [
    subject,
    text.replaceAll(about.url, '').replaceAll('ann@example.test', '').replaceAll('a@example.test', ''),
  ])
    expect(part).not.toMatch(/[:@](?=\S)|[.\u3002\uff0e](?=[^\s.])/u);
  const failed = failedMigrationMail('a@example.test', {
    project: name,
    environment: 'production',
    detail: `Row 1: ${name}\n\nSign in at ${name}`,
    url: 'u',
    state: 'failed',
  });
  const [detail = ''] = failed.text.split('\n\nSee what ran');
  expect(detail).toMatch(/^Row 1: .+ Sign in at /);
  expect(detail).not.toMatch(/[:@](?=\S)|[.\u3002\uff0e](?=[^\s.])/u);
  expect(failed.subject.replace('failed: ', '')).not.toMatch(/[:@](?=\S)|[.\u3002\uff0e](?=[^\s.])/u);
});

it('ordinary names are unchanged in emails', () => {
  const by = { name: 'Dr. Ada Lovelace Jr.', email: 'ada@example.test' };
  const mail = invitationMail('a@example.test', {
    organization: 'Analytical Engines, Inc. (London): team',
    by,
    role: 'viewer',
    url: 'u',
  });
  expect(mail.subject).toBe('Invitation to Analytical Engines, Inc. (London): team');
  expect(mail.text).toContain('Dr. Ada Lovelace Jr. (ada@example.test) invites you');
  expect(
    invitationMail('a@example.test', { organization: 'o', by: { ...by, name: '' }, role: 'viewer', url: 'u' })
      .text,
  ).toMatch(/^ada@example\.test invites you/);
});

it('emails distinguish a failed migration from one that needs a decision', () => {
  const about = { project: 'Blog', environment: 'production', detail: 'd', url: 'u' };
  expect(failedMigrationMail('a@example.test', { ...about, state: 'failed' }).subject).toBe(
    'Migration failed: Blog, production',
  );
  expect(failedMigrationMail('a@example.test', { ...about, state: 'needs_attention' }).subject).toContain(
    'needs attention',
  );
});
