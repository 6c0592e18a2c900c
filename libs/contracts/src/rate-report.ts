/**
 * The requests that one gateway counted since its previous report. Reports are signed, and a gateway counts
 * each report of another gateway once.
 */
export interface RateReport {
  readonly gateway_id: string;
  /** The epoch, which increases with every start of the gateway. */
  readonly epoch: number;
  /** The report's number, which increases with every report. */
  readonly seq: number;
  /** The id of the key or database, the number of requests received, and the number of requests admitted. */
  readonly rates: readonly (readonly [id: string, asked: number, granted: number])[];
}

/** The interval between two reports of a gateway. */
export const RATE_REPORT_INTERVAL_MS = 1_000;
