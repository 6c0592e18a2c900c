import type { Column, Table } from '@rowhouse/schema-model';
import { findLabel } from '../resolve/find-label.js';
import { listRankingMentions } from '../resolve/draft-references.js';
import { returnsKeyOf } from '../resolve/shown-labels.js';
import type { Assignment, Bound } from '../resolve/assignment.js';
import type { Edge, TableGraph } from '../resolve/table-graph.js';
import type { ColumnRef, Condition, Literal, OrderKey, Quantity, Target } from '../types.js';
import { JoinTree } from './join-tree.js';
import { writtenDigits } from '../words/number-literal.js';

const STEPS_MAX = 5;
/** Matches columns whose last word names a property that many rows have in common, such as `status`. */
const SHARED_PROPERTY =
  /(?:^|[^a-z])(?:type|category|status|kind|class|genre|country|city|state|gender|sex|level|role|position|nationality|color)(?:_?(?:code|name|id))?$/i;

/**
 * Returns a text that is equal for statements with equal results, so that they are not treated as
 * alternatives with different meanings.
 *
 * `orders.customer_id` and the joined `customers.id` give the same text. Tables that only provide their key
 * are omitted. A count of child rows and a count per group give the same text.
 */
export function toMeaning(assignment: Assignment, graph: TableGraph): string {
  return new MeaningWriter(assignment, graph).write();
}

class MeaningWriter {
  readonly #assignment: Assignment;
  readonly #graph: TableGraph;
  readonly #joins: JoinTree;

  constructor(assignment: Assignment, graph: TableGraph) {
    this.#assignment = assignment;
    this.#graph = graph;
    this.#joins = new JoinTree(graph);
  }

  write(): string {
    const { draft, tables } = this.#assignment;
    this.#joins.add('0', tables[0]);
    const requiredCount = this.#writeRequiredCount();
    const restrictions: string[] = requiredCount === null ? [] : [requiredCount];
    for (const [index, mention] of draft.mentions.entries()) {
      if (mention.isAlternative) restrictions.push(`or ${index}`);
      if (this.#isSubquery(index))
        restrictions.push(this.#isSubquery(mention.parent) ? '' : this.#writeSubquery(index));
      else {
        if (index > 0)
          this.#joins.addPath(String(mention.parent), this.#assignment.paths[index] ?? [], String(index));
        if (index > 0 || requiredCount?.startsWith('has') !== true)
          restrictions.push(...mention.conditions.map((condition) => this.#writeCondition(condition, true)));
      }
    }
    const targets = [
      ...draft.targets.map((target) => this.#writeTarget(target)),
      ...draft.groups.map((group) =>
        group.kind === 'rows'
          ? returnsKeyOf(this.#assignment, group.mention)
            ? ''
            : this.#writeRows(group.mention)
          : `${group.unit ?? ''}${this.#writeColumn(group.column)}`,
      ),
    ];
    const orders = draft.orders.map(({ key, direction }) => `${this.#writeOrderKey(key)} ${direction}`);
    return [
      [...new Set(targets)]
        .filter((part) => part !== '')
        .sort()
        .join(' & '),
      [...new Set(restrictions)].sort().join(' & '),
      orders.join(', '),
      draft.limit ?? '',
      this.#joins.toText(),
    ].join(' | ');
  }

  /**
   * Writes the number of rows that must have each returned value. If the value is a foreign key, the text is
   * the same as for the referenced rows with this number of child rows. Returns null for other statements.
   */
  #writeRequiredCount(): string | null {
    const { draft, columns, tables } = this.#assignment;
    const [mention, ...more] = draft.mentions;
    if (mention === undefined || mention.quantity === null) return null;
    const [target, ...others] = draft.targets;
    const bound =
      target?.kind === 'column' && target.fn === null && more.length + others.length === 0
        ? columns.get(target.column)
        : undefined;
    const isKey =
      bound?.path.length === 0 &&
      bound.table.foreignKeys.some((key) => key.columns.length === 1 && key.columns[0] === bound.column.name);
    if (bound === undefined || !isKey) return `having ${formatQuantity(mention.quantity)}`;
    return `has ${formatQuantity(mention.quantity)} ${tables[0]?.name ?? ''}(${bound.column.name}) [${mention.conditions.map((condition) => this.#writeCondition(condition, false)).join(' & ')}]`;
  }

  /**
   * Reports whether the rows of a mention are in a subquery instead of the joined tables. This is the case if
   * they must not exist, or if only their number matters.
   */
  #isSubquery(mention: number): boolean {
    if (listRankingMentions(this.#assignment.draft).has(mention)) return true;
    for (let index = mention; index > 0; index = this.#assignment.draft.mentions[index]?.parent ?? 0) {
      const entry = this.#assignment.draft.mentions[index];
      if (entry?.negated === true || (entry?.quantity ?? null) !== null) return true;
    }
    return false;
  }

  #writeSubquery(index: number): string {
    const { draft, paths } = this.#assignment;
    const mention = draft.mentions[index];
    const inner = draft.mentions.flatMap((other, position) =>
      other.parent === index ? [this.#writeSubquery(position)] : [],
    );
    const conditions = (mention?.conditions ?? []).map((condition) => this.#writeCondition(condition, false));
    const edges = [...(paths[index] ?? [])];
    while (
      edges.length > 1 &&
      edges.at(-1)?.isToOne === true &&
      edges.at(-1)?.isDeclared === true &&
      conditions.length + inner.length === 0
    )
      edges.pop();
    return `${mention?.negated === true ? 'no' : 'has'} ${formatQuantity(mention?.quantity ?? null)} ${edges.map((edge) => `${edge.to.name}(${edge.toColumns.join()})`).join('>')} [${[...conditions, ...inner].join(' & ')}]`;
  }

  #writeRows(mention: number): string {
    const table = this.#assignment.tables[mention];
    if (table === undefined) return '';
    return findLabel(table)
      .map((column) => {
        this.#joins.use(String(mention), column);
        return this.#toReferencedColumn(table, column);
      })
      .join(' & ');
  }

  #writeTarget(target: Target): string {
    if (target.kind === 'rows') return this.#writeRows(target.mention);
    if (target.kind === 'column')
      return target.fn === null
        ? this.#writeColumn(target.column)
        : `${target.fn} ${target.distinct ? 'distinct ' : ''}${this.#writeColumn(target.column)}`;
    this.#joins.use(String(target.mention), null);
    return `${target.kind} ${target.kind === 'size' ? target.fn : ''} ${this.#assignment.tables[target.mention]?.name ?? ''}`;
  }

  #writeOrderKey(key: OrderKey): string {
    if (key.kind === 'column') return `${key.fn ?? ''} ${this.#writeColumn(key.column)}`;
    const mention = key.kind === 'count' ? key.mention : 0;
    this.#joins.use(String(mention), null);
    return `count ${this.#assignment.tables[mention]?.name ?? ''}${mention > 0 && this.#returnsSharedProperty(this.#assignment.draft.mentions[mention]?.parent ?? 0) ? ' of each' : ''}`;
  }

  /**
   * Reports whether all targets are properties that many rows have in common, such as a type. The text then
   * expresses that `the type of the shop with the most orders` is not the type with the most orders.
   */
  #returnsSharedProperty(mention: number): boolean {
    const { draft, columns } = this.#assignment;
    return (
      draft.targets.length > 0 &&
      draft.targets.every((target) => {
        const bound = target.kind === 'column' && target.fn === null ? columns.get(target.column) : undefined;
        return (
          bound?.mention === mention &&
          bound.path.length === 0 &&
          (SHARED_PROPERTY.test(bound.column.name) ||
            bound.table.foreignKeys.some((key) => key.columns.includes(bound.column.name)))
        );
      })
    );
  }

  #writeColumn(ref: ColumnRef, isJoined = true): string {
    const bound = this.#assignment.columns.get(ref);
    return bound === undefined ? '' : this.#writeBound(bound, isJoined);
  }

  #writeBound(bound: Bound, isJoined: boolean): string {
    if (isJoined) {
      const node =
        bound.via === null
          ? this.#joins.addPath(
              String(bound.mention),
              bound.path,
              `${bound.mention}>${bound.path.map(nameEdge).join('>')}`,
            )
          : `${bound.mention}/${bound.via}`;
      this.#joins.use(node, bound.column);
    }
    return this.#toReferencedColumn(bound.table, bound.column);
  }

  #writeCondition(condition: Condition, isJoined: boolean): string {
    switch (condition.kind) {
      case 'any':
      case 'all':
        return `${condition.kind}(${condition.parts.map((part) => this.#writeCondition(part, isJoined)).join(', ')})`;
      case 'value': {
        const bound = this.#assignment.values.get(condition.of ?? condition);
        return bound === undefined
          ? ''
          : `${this.#writeBound(bound, isJoined)} ${condition.negated ? '!=' : '='} ${bound.value?.toLowerCase() ?? ''}`;
      }
      case 'compare':
        return `${this.#writeColumn(condition.column, isJoined)} ${condition.op} ${formatLiteral(condition.value)}`;
      case 'topCount':
        return `${condition.direction} #${this.#assignment.tables[condition.mention]?.name ?? ''}`;
      default:
        return `${this.#writeColumn(condition.column, isJoined)} ${JSON.stringify({ ...condition, column: null, where: null })}`;
    }
  }

  /**
   * Follows foreign keys from a column to the last referenced column. All columns on this path have the same
   * value.
   */
  #toReferencedColumn(table: Table, column: Column): string {
    let [at, name] = [table, column.name];
    for (let step = 0; step < STEPS_MAX; step += 1) {
      const edge = (this.#graph.edges.get(at) ?? []).find(
        (edge) =>
          edge.isToOne &&
          edge.isDeclared &&
          edge.to !== at &&
          edge.fromColumns.includes(name) &&
          isKeyOf(edge.to, edge.toColumns),
      );
      if (edge === undefined) break;
      name = edge.toColumns[edge.fromColumns.indexOf(name)] ?? name;
      at = edge.to;
      if (at === table) break;
    }
    return `${at.name}.${name}`;
  }
}

function isKeyOf(table: Table, columns: readonly string[]): boolean {
  return (
    table.primaryKey !== null &&
    table.primaryKey.length === columns.length &&
    table.primaryKey.every((name) => columns.includes(name))
  );
}

const nameEdge = (edge: Edge): string => `${edge.fromColumns.join()}:${edge.to.name}`;

function formatLiteral(literal: Literal): string {
  if (literal.kind === 'text') return literal.text.toLowerCase();
  return literal.kind === 'number' ? writtenDigits(literal) : `${literal.from ?? ''}..${literal.to ?? ''}`;
}

function formatQuantity(quantity: Quantity | null): string {
  return quantity === null ? '-' : `${quantity.op}${quantity.count}-${quantity.upTo ?? ''}`;
}
