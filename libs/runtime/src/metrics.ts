import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

/** How often a process looks how late its event loop is. At the usual 10 ms most of what a process without work takes is the looking; what `nodejs_eventloop_lag_…` tell begins at this. */
const LOOP_LOOK_MS = 50;

/** One registry a process, with the process's own figures in it. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  collectDefaultMetrics({ register: registry, eventLoopMonitoringPrecision: LOOP_LOOK_MS });
  return registry;
}

/** Called once, when the process serves. */
export function markReady(registry: Registry): void {
  new Gauge({ name: 'process_ready_after_seconds', help: 'From the start of the process until it served', registers: [registry] }).set(performance.now() / 1_000);
  const { user, system } = process.cpuUsage();
  new Gauge({ name: 'process_ready_cpu_seconds', help: 'CPU time of the process until it served', registers: [registry] }).set((user + system) / 1_000_000);
}

export { Counter, Gauge, Histogram, Registry };
