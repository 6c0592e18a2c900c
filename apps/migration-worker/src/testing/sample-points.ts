/**
 * Each kill costs two processes and a database: a run takes those of the sample, each on one of its engines. `KILL_POINTS=all`
 * takes every point on each, as the whole matrix does. `engineAt`: which of `enginesTotal` it is, from 0.
 */
export function samplePoints(points: readonly string[], sample: readonly string[], engineAt: number, enginesTotal: number, isAsked = isEveryPoint()): readonly string[] {
  const unknown = sample.filter((point) => !points.includes(point));
  if (unknown.length > 0) throw new Error(`The sample has what is no point: ${unknown.join(', ')}`);
  return isAsked ? points : sample.filter((_point, at) => at % enginesTotal === engineAt);
}

function isEveryPoint(): boolean {
  return process.env['KILL_POINTS'] === 'all' || process.env['TEST_MATRIX'] === 'whole';
}
