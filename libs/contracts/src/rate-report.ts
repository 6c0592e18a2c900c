/**
 * The requests that one gateway has counted since its previous report. Reports are signed. Each gateway
 * counts a report of another gateway only once.
 */
export interface RateReport {
  readonly gateway_id: string;
  /** A number that increases each time the gateway starts. */
  readonly epoch: number;
  /** The number of the report, which increases with every report of the gateway. */
  readonly seq: number;
  /**
   * For each API key or database: its id, the number of requests received, and the number of requests
   * accepted.
   */
  readonly rates: readonly (readonly [id: string, asked: number, granted: number])[];
}

/** The interval between two reports of a gateway in milliseconds. */
export const RATE_REPORT_INTERVAL_MS = 1_000;
