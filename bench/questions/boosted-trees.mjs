// @ts-check
/**
 * Small decision trees, each of which mends what those before it got wrong (gradient boosting on the logistic loss).
 * Plain arithmetic in a fixed order: the same samples give the same trees.
 *
 * @typedef {{ values: readonly number[], isRight: boolean, weight: number }} Sample
 * @typedef {{ trees: number, depth: number, rate: number, leafMin: number, damping: number }} Settings
 * @typedef {{ leaf: number } | { measure: number, bound: number, below: Node, above: Node }} Node
 * @typedef {{ bias: number, trees: readonly Node[] }} Forest
 * @typedef {{ gradient: Float64Array, hessian: Float64Array, bins: readonly Uint8Array[], bounds: readonly (readonly number[])[], settings: Settings }} Round
 */

const BINS_MAX = 24;

/** @param {readonly Sample[]} samples @param {Settings} settings @returns {Forest} */
export function growForest(samples, settings) {
  const count = samples[0]?.values.length ?? 0;
  const bounds = Array.from({ length: count }, (_, measure) => listBounds(samples.map(({ values }) => values[measure] ?? 0)));
  const bins = bounds.map((list, measure) => Uint8Array.from(samples, ({ values }) => list.filter((bound) => (values[measure] ?? 0) > bound).length));
  const right = samples.reduce((sum, { isRight, weight }) => sum + (isRight ? weight : 0), 0);
  const all = samples.reduce((sum, { weight }) => sum + weight, 0);
  const bias = round(Math.log(right / (all - right)));
  const sums = new Float64Array(samples.length).fill(bias);
  const gradient = new Float64Array(samples.length);
  const hessian = new Float64Array(samples.length);
  const trees = Array.from({ length: settings.trees }, () => {
    for (const [at, { isRight, weight }] of samples.entries()) {
      const share = 1 / (1 + Math.exp(-(sums[at] ?? 0)));
      gradient[at] = ((isRight ? 1 : 0) - share) * weight;
      hessian[at] = share * (1 - share) * weight;
    }
    const tree = growTree(samples.map((_, at) => at), settings.depth, { gradient, hessian, bins, bounds, settings });
    for (const [at, { values }] of samples.entries()) sums[at] = (sums[at] ?? 0) + walk(tree, values);
    return tree;
  });
  return { bias, trees };
}

/** @param {Forest} forest @param {readonly number[]} values @returns {number} 0 to 1 */
export function predict({ bias, trees }, values) {
  return 1 / (1 + Math.exp(-trees.reduce((sum, tree) => sum + walk(tree, values), bias)));
}

/** @param {Node} tree @param {readonly number[]} values @returns {number} */
function walk(tree, values) {
  if ('leaf' in tree) return tree.leaf;
  return walk((values[tree.measure] ?? 0) <= tree.bound ? tree.below : tree.above, values);
}

/** Where a measure may be cut: between its values, or, where it has many, at every so many samples. @param {readonly number[]} values */
function listBounds(values) {
  const sorted = values.toSorted((a, b) => a - b);
  const distinct = [...new Set(sorted)];
  const cuts = distinct.length <= BINS_MAX ? distinct.slice(1).map((value, at) => (value + (distinct[at] ?? 0)) / 2) : Array.from({ length: BINS_MAX - 1 }, (_, at) => sorted[Math.floor(((at + 1) * sorted.length) / BINS_MAX)] ?? 0);
  return [...new Set(cuts.map(round))];
}

/** @param {readonly number[]} places of samples @param {number} depth @param {Round} turn @returns {Node} */
function growTree(places, depth, turn) {
  const { gradient, hessian, settings } = turn;
  const [pull, mass] = places.reduce(([a, b], at) => [a + (gradient[at] ?? 0), b + (hessian[at] ?? 0)], [0, 0]);
  const leaf = { leaf: round((settings.rate * pull) / (mass + settings.damping)) };
  const cut = depth === 0 ? null : findCut(places, pull, mass, turn);
  if (cut === null) return leaf;
  const bins = turn.bins[cut.measure] ?? new Uint8Array();
  return {
    measure: cut.measure,
    bound: turn.bounds[cut.measure]?.[cut.bin] ?? 0,
    below: growTree(places.filter((at) => (bins[at] ?? 0) <= cut.bin), depth - 1, turn),
    above: growTree(places.filter((at) => (bins[at] ?? 0) > cut.bin), depth - 1, turn),
  };
}

/**
 * The cut that explains most; the first of several. Null where none leaves enough samples on both sides.
 * @param {readonly number[]} places @param {number} pull @param {number} mass @param {Round} turn
 */
function findCut(places, pull, mass, { gradient, hessian, bins, bounds, settings: { leafMin, damping } }) {
  /** @type {{ measure: number, bin: number, gain: number } | null} */
  let best = null;
  for (const [measure, list] of bounds.entries()) {
    const own = bins[measure] ?? new Uint8Array();
    const [pulls, masses, counts] = [new Float64Array(list.length + 1), new Float64Array(list.length + 1), new Uint32Array(list.length + 1)];
    for (const at of places) {
      const bin = own[at] ?? 0;
      pulls[bin] = (pulls[bin] ?? 0) + (gradient[at] ?? 0);
      masses[bin] = (masses[bin] ?? 0) + (hessian[at] ?? 0);
      counts[bin] = (counts[bin] ?? 0) + 1;
    }
    let [a, b, count] = [0, 0, 0];
    for (let bin = 0; bin < list.length; bin += 1) {
      [a, b, count] = [a + (pulls[bin] ?? 0), b + (masses[bin] ?? 0), count + (counts[bin] ?? 0)];
      if (count < leafMin || places.length - count < leafMin) continue;
      const gain = (a * a) / (b + damping) + (pull - a) ** 2 / (mass - b + damping) - (pull * pull) / (mass + damping);
      if (gain > (best?.gain ?? 1e-6)) best = { measure, bin, gain };
    }
  }
  return best;
}

/** Three places, so that what is written down is what was judged. @param {number} value */
function round(value) {
  return Math.round(value * 1_000) / 1_000;
}
