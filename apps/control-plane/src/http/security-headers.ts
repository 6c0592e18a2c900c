import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/** The console may talk to its own origin and to the gateway's, and be framed by nobody. */
export async function setSecurityHeaders(fastify: FastifyInstance, urls: { readonly gatewayUrl: string; readonly publicUrl: string }): Promise<void> {
  await fastify.register(helmet as never, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        connectSrc: ["'self'", new URL(urls.gatewayUrl).origin],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    crossOriginEmbedderPolicy: false,
    // Over plain HTTP the header would be ignored; over HTTPS it binds this host alone.
    strictTransportSecurity: urls.publicUrl.startsWith('https:') ? { maxAge: 31_536_000, includeSubDomains: false } : false,
    referrerPolicy: { policy: 'no-referrer' },
    frameguard: { action: 'deny' },
  } as never);
}
