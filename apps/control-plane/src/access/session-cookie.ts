import type {} from '@fastify/cookie';
import type { FastifyReply } from 'fastify';

export const SESSION_DAYS = 30;

/** The session cookie. Over HTTPS it has the `__Host-` prefix, which pins host, path and Secure. */
export class SessionCookie {
  readonly #isSecure: boolean;
  readonly name: string;

  constructor(publicUrl: string) {
    this.#isSecure = publicUrl.startsWith('https:');
    this.name = this.#isSecure ? '__Host-rowhouse' : 'rowhouse';
  }

  set(reply: FastifyReply, token: string): void {
    reply.setCookie(this.name, token, { ...this.#attributes(), maxAge: SESSION_DAYS * 86_400 });
  }

  clear(reply: FastifyReply): void {
    reply.clearCookie(this.name, this.#attributes());
  }

  #attributes(): { path: string; httpOnly: true; sameSite: 'lax'; secure: boolean } {
    return { path: '/', httpOnly: true, sameSite: 'lax', secure: this.#isSecure };
  }
}
