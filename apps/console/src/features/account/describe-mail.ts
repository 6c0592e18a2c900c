import type { MailResponse } from '@rowhouse/contracts';

/**
 * Describes whether a link was sent by email. If the platform sends no email, only the operator can find the
 * link.
 */
export function describeMail({ is_mailed: isMailed }: MailResponse, email: string): string {
  return isMailed
    ? `We’ve sent an email to ${email}.`
    : 'Email isn’t set up on this server. Ask your administrator for the link.';
}
