/**
 * The basics of every process: configuration, logging, HTTP connections, metrics and shutdown. This package
 * does not depend on tenants, routes or databases.
 */
export {
  cellName,
  countNumber,
  deployment,
  describeEnvironment,
  flag,
  keyMaterial,
  keyMaterialList,
  logLevel,
  networkList,
  parentPid,
  portNumber,
  positiveNumber,
  previousMasterKeys,
  publicUrl,
  readConfig,
  secretText,
  toKeyRing,
  urlSecret,
  type VariableDescription,
} from './config/config.js';
export { Secret } from './config/secret.js';
export { createByteChunks, type ByteChunks } from './http/byte-chunks.js';
export {
  createAddressReader,
  createNetworkTest,
  networkOf,
  THIS_MACHINE,
  toNetwork,
  type AddressReader,
} from './http/client-address.js';
export { findHeaderFault, HOST_OPTIONS } from './http/find-header-fault.js';
export {
  createHeadClock,
  createHeadDeadline,
  pendingResponse,
  whenSilent,
  type HeadClock,
} from './http/request-head-timeouts.js';
export { createId, randomBase32, type IdPrefix } from './ids.js';
export { inTime } from './process/in-time.js';
export { describeError, redactQuoted, type ErrorDescription } from './logging/describe-error.js';
export { createEventLog, type EventLevel, type EventLog } from './logging/event-log.js';
export { createLogger, type Logger } from './logging/logger.js';
export { cacheCompiledCode } from './process/cache-compiled-code.js';
export {
  Counter,
  createMetrics,
  Gauge,
  Histogram,
  markReady,
  registerGauge,
  Registry,
} from './process/metrics.js';
export { startOpsServer, type OpsServer, type ReadinessReport } from './process/ops-server.js';
export { startServerClock, type ServerClock } from './process/server-clock.js';
export { createShutdown, type Shutdown } from './process/shutdown.js';
