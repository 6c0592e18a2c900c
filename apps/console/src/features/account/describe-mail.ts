import type { MailResponse } from '@rowhouse/contracts';

/** Describes whether a link was emailed. Without email, the link is in the server log. */
export function describeMail({ is_mailed: isMailed }: MailResponse, email: string): string {
  return isMailed
    ? `We’ve sent an email to ${email}.`
    : 'Email isn’t set up on this server. Ask your administrator for the link (it’s in the server log).';
}
