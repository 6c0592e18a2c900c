/** A chunk that was taken: so many rows in so many milliseconds. */
export interface SeenChunk {
  readonly rows: number;
  readonly elapsedMs: number;
}

/** Milliseconds that one more row adds to a chunk; below zero where larger chunks happened to be quicker. */
export interface RowCost {
  /** As likely too high as too low. */
  readonly likely: number;
  /** Three of five comparisons say that it is more. */
  readonly surely: number;
}

/** Chunks that are closer to each other than this part of the largest tell more of chance than of rows. */
const APART_MIN = 0.2;
const SURE_QUANTILE = 0.4;

/**
 * What a row costs by itself, beside the part of a chunk's time that each chunk has, however small (the way to the
 * server, the wait for a core). By the slopes between every two chunks (Theil and Sen), which a few chunks that were
 * held up do not move. Null where the chunks are of one size: then nothing tells the two parts apart.
 */
export function estimateRowCost(chunks: readonly SeenChunk[]): RowCost | null {
  const apartMin = APART_MIN * Math.max(0, ...chunks.map(({ rows }) => rows));
  const slopes = chunks.flatMap((one, at) => chunks.slice(0, at)
    .filter((other) => one.rows !== other.rows && Math.abs(one.rows - other.rows) >= apartMin)
    .map((other) => (one.elapsedMs - other.elapsedMs) / (one.rows - other.rows))).sort((a, b) => a - b);
  const at = (quantile: number): number | undefined => slopes[Math.floor(slopes.length * quantile)];
  const [likely, surely] = [at(0.5), at(SURE_QUANTILE)];
  return likely === undefined || surely === undefined ? null : { likely, surely };
}
