/** What one gateway asked of its rates since its report before. Signed; a gateway counts each report of another once. */
export interface RateReport {
  readonly gateway_id: string;
  /** Grows with every start of the gateway. */
  readonly epoch: number;
  /** Grows with every report. */
  readonly seq: number;
  /** Id of the key or database whose rate it is, requests that came, requests that were let through. */
  readonly rates: readonly (readonly [id: string, asked: number, granted: number])[];
}

/** How often gateways tell each other. */
export const RATE_REPORT_INTERVAL_MS = 1_000;
