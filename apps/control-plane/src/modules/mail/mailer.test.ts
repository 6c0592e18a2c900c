import type { Logger } from '@rowhouse/runtime';
import { describe, expect, it } from 'vitest';
import type { Config } from '../../config.js';
import { resetMail } from './mail-texts.js';
import { Mailer } from './mailer.js';

const LINK = 'https://console.example.test/reset/rhm_token';

/** Posts a mail without a mail server and returns what is logged. */
async function logOf(logsMailLinks: boolean): Promise<string> {
  const lines: unknown[] = [];
  const log = (...line: unknown[]): void => void lines.push(line);
  const mailer = new Mailer(
    { smtpUrl: null, logsMailLinks } as Config,
    { info: log, warn: log, error: log } as unknown as Logger,
  );
  mailer.post(resetMail('ann@example.test', LINK));
  await new Promise(setImmediate);
  return JSON.stringify(lines);
}

describe('Mailer without a mail server', () => {
  it('without a mail server, an email is logged without its text', async () => {
    const logged = await logOf(false);
    expect(logged).toContain('ann@example.test');
    expect(logged).not.toContain('rhm_token');
  });

  it('MAIL_LOG_LINKS adds the text of an email to the log', async () => {
    expect(await logOf(true)).toContain(LINK);
  });
});
