import type {} from '@fastify/cookie';
import type { FastifyReply } from 'fastify';

export const SESSION_DAYS = 30;
/** How long the next step of a sign-in may take. */
export const SIGN_IN_SECONDS = 600;

/** A cookie that scripts cannot read. Over HTTPS it has the `__Host-` prefix, which pins host, path and Secure. */
class HostCookie {
  readonly #isSecure: boolean;
  readonly #seconds: number;
  readonly name: string;

  constructor(publicUrl: string, name: string, seconds: number) {
    this.#isSecure = publicUrl.startsWith('https:');
    this.#seconds = seconds;
    this.name = this.#isSecure ? `__Host-${name}` : name;
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.name, token, { ...this.#attributes(), maxAge: this.#seconds });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.name, this.#attributes());
  }

  #attributes(): { path: string; httpOnly: true; sameSite: 'lax'; secure: boolean } {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#isSecure };
  }
}

/** The cookie of a session. */
export class SessionCookie extends HostCookie {
  constructor(publicUrl: string) {
    super(publicUrl, 'rowhouse', SESSION_DAYS * 86_400);
  }
}

/** The cookie of a sign-in that waits for its next step. */
export class SignInCookie extends HostCookie {
  constructor(publicUrl: string) {
    super(publicUrl, 'rowhouse-sign-in', SIGN_IN_SECONDS);
  }
}
