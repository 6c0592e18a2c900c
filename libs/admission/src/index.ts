/**
 * Admission control for the gateway and the control plane: rates, concurrency, memory budgets, overload
 * protection, and the scheduling of long work. This package does not depend on tenants, routes or databases.
 * `docs/explanation/admission.md` lists all limits.
 */
export { limitAddressConnections, type AddressConnections } from './concurrency/address-connections.js';
export {
  createGate,
  createGateMap,
  type Gate,
  type GateMap,
  type GateMapOptions,
  type GateOptions,
} from './concurrency/gate.js';
export {
  createBodyMemoryBudget,
  type BodyMemoryBudget,
  type BodyOwner,
} from './memory/body-memory-budget.js';
export { openReservation, type ByteBudget, type ByteReservation } from './memory/byte-reservation.js';
export { createFairByteBudget, type FairByteBudget } from './memory/fair-byte-budget.js';
export {
  createResponseMemoryBudget,
  type ResponseHold,
  type ResponseMemoryBudget,
} from './memory/response-memory-budget.js';
export { createLoadGuard, RUNNING_MAX, type LoadGuard } from './overload/load-guard.js';
export {
  createRejectionThrottle,
  IMMEDIATE_REJECTIONS,
  REJECTION_INTERVAL_MS,
  type RejectionThrottle,
} from './overload/rejection-throttle.js';
export { createAddressRates, type AddressRates, type AddressUse } from './rates/address-rates.js';
export {
  joinRates,
  startRateExchange,
  type RateExchange,
  type RateUse,
  type SharedRates,
} from './rates/rate-exchange.js';
export {
  createSharedTokenBucket,
  TokenBucket,
  type BucketReport,
  type SharedTokenBucket,
  type TokensTaken,
} from './rates/token-bucket.js';
export {
  createEventLoopScheduler,
  pauseOf,
  SLICE_BYTES,
  type EventLoopScheduler,
  type SchedulingServices,
} from './scheduling/event-loop-scheduler.js';
export { createNeighborActivity, type NeighborActivity } from './scheduling/neighbor-activity.js';
export { createResponseSlices, type Scheduler } from './scheduling/response-slices.js';
