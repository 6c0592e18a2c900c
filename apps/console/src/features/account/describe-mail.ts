import type { MailAnswer } from '@rowhouse/contracts';

/** What became of a mail with a link. Where none is sent, the link is in the log of the installation. */
export function describeMail({ is_mailed: isMailed }: MailAnswer, email: string): string {
  return isMailed ? `A mail is on its way to ${email}.` : 'This installation sends no mail. Whoever runs it finds the link in its log.';
}
