import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The interval of the event loop lag measurement in milliseconds. At the default of 10 ms, an idle process
 * would mostly be measuring. The `nodejs_eventloop_lag_…` metrics cannot be lower than this value.
 */
const LOOP_CHECK_MS = 50;

/** Creates the registry of the process, with the default process metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_CHECK_MS });
  return registry;
}

/** Registers a gauge. Its value is read whenever the metrics are read. */
export function registerGauge(registry: Registry, name: string, help: string, read: () => number): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    collect() {
      this.set(read());
    },
  });
}

/** Records that the process serves requests. Called once. */
export function markReady(registry: Registry): void {
  new Gauge({
    name: 'process_ready_after_seconds',
    help: 'From the start of the process until it served',
    registers: [registry],
  }).set(performance.now() / 1_000);
  const { user, system } = process.cpuUsage();
  new Gauge({
    name: 'process_ready_cpu_seconds',
    help: 'CPU time of the process until it served',
    registers: [registry],
  }).set((user + system) / 1_000_000);
}

export { Counter, Gauge, Histogram, Registry };
