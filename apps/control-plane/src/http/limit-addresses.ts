import { Counter, createAddressRates, limitAddressConnections, type Logger, type Registry } from '@rowhouse/runtime';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

interface AddressLimit {
  /** Requests a second; 0: no limit. */
  readonly addressRate: number;
  /** Open at once; 0: no limit. */
  readonly addressConnections: number;
  readonly trustedProxies: readonly string[];
}

/** What an address may send at once, as seconds of its rate: a page of the console asks for a lot. */
const BURST_SECONDS = 10;
const SWEEP_INTERVAL_MS = 60_000;

/** Refuses requests on connections that an address has open beyond its bound, and ends these: 429 `limit.address`. */
export function limitConnections(fastify: FastifyInstance, { addressConnections: connectionsMax, trustedProxies: trustedNetworks }: AddressLimit, registry: Registry, logger: Logger): void {
  if (connectionsMax === 0) return;
  const refused = new Counter({ name: 'rowhouse_control_address_connections_refused_total', help: 'Connections beyond those that their address may have open.', registers: [registry] });
  const connections = limitAddressConnections(fastify.server, { connectionsMax, trustedNetworks, onRefused: () => refused.inc() });
  fastify.addHook('onRequest', (req, reply, done) => {
    const refusal = connections.refuse(req.raw.socket);
    if (refusal === null) return done();
    reply.header('connection', 'close');
    sendError(logger, refusal, req, reply);
  });
}

/** Refuses requests of an address beyond its rate before anything else is done for them: 429 `limit.address`. Counted in this process. */
export function limitAddresses(fastify: FastifyInstance, { addressRate, trustedProxies }: AddressLimit, registry: Registry, logger: Logger): void {
  if (addressRate === 0) return;
  const refused = new Counter({ name: 'rowhouse_control_address_limited_total', help: 'Requests refused for the rate of their address.', registers: [registry] });
  const rates = createAddressRates({ perSecond: addressRate, burst: addressRate * BURST_SECONDS, trustedNetworks: trustedProxies, onRefused: () => refused.inc() });
  const sweeper = setInterval(() => rates.sweep(), SWEEP_INTERVAL_MS);
  sweeper.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(sweeper);
    done();
  });
  fastify.addHook('onRequest', (req, reply, done) => {
    const refusal = rates.refuse(req.ip, performance.now());
    if (refusal === null) return done();
    sendError(logger, refusal, req, reply);
  });
}
