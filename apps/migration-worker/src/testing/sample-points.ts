/**
 * Selects the points at which a test run kills a worker. Each kill takes two processes and a database, so a
 * run tests only the points of the sample, each on one of its engines. `KILL_POINTS=all` and the run of the
 * whole matrix test all points on each engine. `engineAt` is the index of the engine among `enginesTotal`,
 * from 0.
 */
export function samplePoints(
  points: readonly string[],
  sample: readonly string[],
  engineAt: number,
  enginesTotal: number,
  isAsked = isEveryPoint(),
): readonly string[] {
  const unknown = sample.filter((point) => !points.includes(point));
  if (unknown.length > 0) throw new Error(`The sample has what is no point: ${unknown.join(', ')}`);
  return isAsked ? points : sample.filter((_point, index) => index % enginesTotal === engineAt);
}

function isEveryPoint(): boolean {
  return process.env['KILL_POINTS'] === 'all' || process.env['TEST_MATRIX'] === 'whole';
}
