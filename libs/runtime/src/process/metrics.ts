import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/**
 * The interval in milliseconds at which the delay of the event loop is measured. With the default of 10 ms,
 * an idle process would mostly measure. The metrics `nodejs_eventloop_lag_…` cannot be lower than this value.
 */
const LOOP_CHECK_MS = 50;

/** Creates the metrics registry of the process, with the default metrics of a process. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_CHECK_MS });
  return registry;
}

/** Registers a gauge. Its value is computed each time the metrics are read. */
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

/** Records that the process accepts requests. Call it once. */
export function markReady(registry: Registry): void {
  new Gauge({
    name: 'process_ready_after_seconds',
    help: 'Time from the start of the process until it was ready',
    registers: [registry],
  }).set(performance.now() / 1_000);
  const { user, system } = process.cpuUsage();
  new Gauge({
    name: 'process_ready_cpu_seconds',
    help: 'CPU time of the process until it was ready',
    registers: [registry],
  }).set((user + system) / 1_000_000);
}

export { Counter, Gauge, Histogram, Registry };
