import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';

/**
 * Sets headers with which the console can only connect to its own origin and the gateway, and cannot be
 * framed.
 */
export async function setSecurityHeaders(
  fastify: FastifyInstance,
  urls: { readonly gatewayUrl: string; readonly publicUrl: string },
): Promise<void> {
  await fastify.register(
    helmet as never,
    {
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
      // Browsers ignore the header over plain HTTP. Over HTTPS it binds this host only.
      strictTransportSecurity: urls.publicUrl.startsWith('https:')
        ? { maxAge: 31_536_000, includeSubDomains: false }
        : false,
      referrerPolicy: { policy: 'no-referrer' },
      frameguard: { action: 'deny' },
    } as never,
  );
}
