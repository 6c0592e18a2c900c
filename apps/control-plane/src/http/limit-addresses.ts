import { Counter, type Logger, type Registry } from '@rowhouse/runtime';
import { createAddressRates, limitAddressConnections } from '@rowhouse/admission';
import type { FastifyInstance } from 'fastify';
import { sendError } from './error-filter.js';

interface AddressLimit {
  /** The maximum number of requests per second. 0 disables the limit. */
  readonly addressRate: number;
  /** The maximum number of open connections. 0 disables the limit. */
  readonly addressConnections: number;
  readonly trustedProxies: readonly string[];
}

/**
 * The burst that an address may use, in seconds of its rate. A page of the console sends many requests at
 * once.
 */
const BURST_SECONDS = 10;
const SWEEP_INTERVAL_MS = 60_000;

/**
 * Rejects requests on connections beyond the limit of an address with 429 `limit.address`, and closes them.
 */
export function limitConnections(
  fastify: FastifyInstance,
  { addressConnections: connectionsMax, trustedProxies: trustedNetworks }: AddressLimit,
  registry: Registry,
  logger: Logger,
): void {
  if (connectionsMax === 0) return;
  const rejected = new Counter({
    name: 'rowhouse_control_address_connections_refused_total',
    help: 'Connections rejected because their client address has too many open.',
    registers: [registry],
  });
  const connections = limitAddressConnections(fastify.server, {
    connectionsMax,
    trustedNetworks,
    onRejected: () => rejected.inc(),
  });
  fastify.addHook('onRequest', (req, reply, done) => {
    const rejection = connections.reject(req.raw.socket);
    if (rejection === null) return done();
    reply.header('connection', 'close');
    sendError(logger, rejection, req, reply);
  });
}

/**
 * Rejects requests beyond the rate of an address with 429 `limit.address` before any other work. Each process
 * counts separately.
 */
export function limitAddresses(
  fastify: FastifyInstance,
  { addressRate, trustedProxies }: AddressLimit,
  registry: Registry,
  logger: Logger,
): void {
  if (addressRate === 0) return;
  const rejected = new Counter({
    name: 'rowhouse_control_address_limited_total',
    help: 'Requests rejected because their client address exceeded its rate.',
    registers: [registry],
  });
  const rates = createAddressRates({
    perSecond: addressRate,
    burst: addressRate * BURST_SECONDS,
    trustedNetworks: trustedProxies,
    onRejected: () => rejected.inc(),
  });
  const sweeper = setInterval(() => rates.sweep(), SWEEP_INTERVAL_MS);
  sweeper.unref();
  fastify.addHook('onClose', (_instance, done) => {
    clearInterval(sweeper);
    done();
  });
  fastify.addHook('onRequest', (req, reply, done) => {
    const rejection = rates.reject(req.ip, performance.now());
    if (rejection === null) return done();
    sendError(logger, rejection, req, reply);
  });
}
