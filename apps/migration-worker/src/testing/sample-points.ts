/**
 * Each kill costs a process: a run takes every point on one of its engines, `KILL_POINTS=all` takes all of them on each.
 * `engineAt`: which of `enginesTotal` it is, from 0.
 */
export function samplePoints(points: readonly string[], engineAt: number, enginesTotal: number, asked = process.env['KILL_POINTS']): string[] {
  return points.filter((_point, at) => asked === 'all' || at % enginesTotal === engineAt);
}
