/**
 * Basics of every process: configuration, logger, ids, metrics, readiness, shutdown and `Secret`. This
 * package does not know tenants, routes or databases.
 */
export { createAddressRates, networkOf, type AddressRates, type AddressUse } from './address-rates.js';
export { limitAddressConnections, type AddressConnections } from './address-connections.js';
export { pendingResponse } from './pending-response.js';
export { createByteChunks, type ByteChunks } from './byte-chunks.js';
export { createAddressReader, type AddressReader } from './client-address.js';
export { describeEnvironment, readConfig, type VariableDescription } from './config.js';
export {
  cellName,
  countNumber,
  deployment,
  flag,
  keyMaterial,
  keyMaterialList,
  logLevel,
  networkList,
  portNumber,
  positiveNumber,
  publicUrl,
  secretText,
  toKeyRing,
  urlSecret,
} from './config-values.js';
export { createFairByteBudget, type FairByteBudget } from './fair-byte-budget.js';
export { findHeaderFault, HOST_OPTIONS } from './find-header-fault.js';
export { createGate, type Gate, type GateOptions } from './gate.js';
export { createGateMap, type GateMap, type GateMapOptions } from './gate-map.js';
export { createHeadClock, type HeadClock } from './head-clock.js';
export { createHeadDeadline } from './head-deadline.js';
export { createId, randomBase32, type IdPrefix } from './ids.js';
export { inTime } from './in-time.js';
export { describeError, type ErrorDescription } from './describe-error.js';
export { createEventLog, type EventLog, type EventLevel } from './event-log.js';
export { cacheCompiledCode } from './cache-compiled-code.js';
export { createLogger, type Logger } from './logger.js';
export { Counter, createMetrics, Gauge, Histogram, markReady, Registry } from './metrics.js';
export { startOpsServer, type OpsServer, type ReadinessReport } from './ops-server.js';
export { redactQuoted } from './redact-quoted.js';
export { Secret } from './secret.js';
export { startServerClock, type ServerClock } from './server-clock.js';
export { createShutdown, type Shutdown } from './shutdown.js';
export { whenSilent } from './when-silent.js';
