// @ts-check
import { FILTERED_WRITES } from './make-request.mjs';

/** @typedef {import('./make-request.mjs').Request} Request */
/** @typedef {import('./evaluate.mjs').Condition} Condition */

/**
 * Lists smaller variants of a request, each without one of its parts. Variants without a large part come
 * first.
 * @param {Request} request
 * @returns {Request[]}
 */
export function listSmaller(request) {
  /** @type {Request[]} */
  const smaller = [];
  const without = (/** @type {readonly any[]} */ list, /** @type {number} */ index) =>
    list.filter((_, position) => position !== index);
  if (request.tree !== null)
    smaller.push({ ...request, tree: null }, ...partsOf(request.tree).map((tree) => ({ ...request, tree })));
  if (request.where !== null)
    smaller.push(
      { ...request, where: null },
      ...partsOf(request.where).map((where) => ({ ...request, where })),
    );
  request.address.forEach((_, index) => {
    if (!FILTERED_WRITES.has(request.form) || request.address.length > 1)
      smaller.push({ ...request, address: without(request.address, index) });
  });
  request.sort.forEach((_, index) => smaller.push({ ...request, sort: without(request.sort, index) }));
  const { aggregate, distinct, select } = request;
  if (aggregate !== null) {
    if (aggregate.having !== null) smaller.push({ ...request, aggregate: { ...aggregate, having: null } });
    const isSorted = (/** @type {string} */ name) => request.sort.some((term) => term.path[0] === name);
    aggregate.groups.forEach(
      ({ name }, index) =>
        isSorted(name) ||
        aggregate.having !== null ||
        smaller.push({ ...request, aggregate: { ...aggregate, groups: without(aggregate.groups, index) } }),
    );
    aggregate.terms.forEach(
      ({ name }, index) =>
        isSorted(name) ||
        aggregate.having?.name === name ||
        aggregate.terms.length === 1 ||
        smaller.push({ ...request, aggregate: { ...aggregate, terms: without(aggregate.terms, index) } }),
    );
  }
  if (distinct !== null && distinct.length > 1)
    distinct.forEach(
      (name, index) =>
        request.sort.some((term) => term.path[0] === name) ||
        smaller.push({ ...request, distinct: without(distinct, index) }),
    );
  if (select !== null)
    smaller.push(
      ...(request.form === 'query' ? [] : [{ ...request, select: null }]),
      ...(select.length > 1
        ? select.map((_, index) => ({ ...request, select: without(select, index) }))
        : []),
    );
  if (request.isCounted) smaller.push({ ...request, isCounted: false });
  if (request.limit !== 1000 && !['single', 'batch', 'include'].includes(request.form))
    smaller.push({ ...request, limit: 1000 });
  if (
    ['cursors', 'offsets', 'search', 'ndjson', 'csv', 'tool', 'patch', 'batchDelete', 'toolDelete'].includes(
      request.form,
    )
  )
    smaller.push({ ...request, form: 'pages' });
  return smaller;
}

/** @param {Condition} condition @returns {Condition[]} */
function partsOf(condition) {
  if (condition.kind === 'not')
    return [condition.of, ...partsOf(condition.of).map((of) => ({ kind: condition.kind, of }))];
  if (condition.kind !== 'and' && condition.kind !== 'or') return [];
  const { kind, of } = condition;
  return [
    ...of,
    ...(of.length > 1
      ? of.map((_, index) => ({ kind, of: of.filter((_one, position) => position !== index) }))
      : []),
    ...of.flatMap((item, index) =>
      partsOf(item).map((part) => ({
        kind,
        of: of.map((other, position) => (position === index ? part : other)),
      })),
    ),
  ];
}
