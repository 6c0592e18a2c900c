import type { MailAnswer } from '@rowhouse/contracts';

/** Describes whether a link was emailed. Without email, the link is in the server log. */
export function describeMail({ is_mailed: isMailed }: MailAnswer, email: string): string {
  return isMailed ? `A mail is on its way to ${email}.` : 'This installation sends no mail. Whoever runs it finds the link in its log.';
}
