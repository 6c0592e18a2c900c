import { setTimeout as pause } from 'node:timers/promises';
import { Inject, Injectable } from '@nestjs/common';
import type { Logger } from '@rowhouse/runtime';
import { createTransport, type Transporter } from 'nodemailer';
import type { Config } from '../../config.js';
import { CONFIG, LOGGER } from '../../platform/tokens.js';
import type { Mail } from './mail-texts.js';

const ATTEMPTS_MAX = 3;
const PAUSE_MS = 2_000;
const TIMEOUT_MS = 15_000;

/**
 * Sends email by SMTP. Without a configured server, only the recipient and the subject are logged, and the
 * text if the operator set `MAIL_LOG_LINKS`.
 */
@Injectable()
export class Mailer {
  readonly #transport: Transporter | null;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.#transport =
      config.smtpUrl === null
        ? null
        : createTransport({
            url: config.smtpUrl.reveal(),
            connectionTimeout: TIMEOUT_MS,
            greetingTimeout: TIMEOUT_MS,
            socketTimeout: TIMEOUT_MS,
            disableFileAccess: true,
            disableUrlAccess: true,
          });
  }

  /** Whether this installation sends email. */
  get isSending(): boolean {
    return this.#transport !== null;
  }

  /**
   * Sends an email in the background. Responses therefore do not wait for a mail server, and their timing
   * does not reveal whether an email was sent. A failure is retried and then logged without the text, which
   * may contain a token.
   */
  post(mail: Mail): void {
    this.#send(mail).catch((error: unknown) =>
      this.logger.error({ err: error, subject: mail.subject }, 'an email could not be sent'),
    );
  }

  async #send(mail: Mail): Promise<void> {
    if (this.#transport === null) {
      // The text may contain a link that signs its reader in, so it is only logged on request.
      this.logger.info(
        {
          to: mail.to,
          subject: mail.subject,
          ...(this.config.logsMailLinks ? { text: mail.text } : {}),
        },
        'a mail was not sent, because SMTP_URL is not set',
      );
      return;
    }
    for (let tried = 1; ; tried += 1) {
      try {
        await this.#transport.sendMail({
          from: this.config.mailFrom,
          to: mail.to,
          subject: mail.subject,
          text: mail.text,
        });
        return;
      } catch (error) {
        if (tried === ATTEMPTS_MAX) throw error;
        await pause(PAUSE_MS * tried, undefined, { ref: false });
      }
    }
  }
}
