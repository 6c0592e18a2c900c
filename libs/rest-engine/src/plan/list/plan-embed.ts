import type { CompiledRelationship, CompiledTable } from '@rowhouse/schema-model';
import type { EmbedControl, EmbedParameter, FilterParameter } from '../../request/api-request.js';
import type { FaultList } from '../../request/fault-list.js';
import type { ConditionBudget } from '../filter/condition-budget.js';
import { planFilters } from '../filter/plan-filter.js';
import type { IncludeNode, SortKey } from '../plan-parts.js';
import { readColumnNames, readEtag } from './plan-select.js';
import { readSelection } from './read-selection.js';
import { readSortKeys } from './plan-sort.js';
import { readCount } from './plan-window.js';

const PER_PARENT_DEFAULT = 100;
export const PER_PARENT_MAX = 1000;

/** The part of an include's plan that the options `include[path][…]` determine. */
export type EmbedPlan = Pick<IncludeNode, 'select' | 'hasEtag' | 'perParentMax' | 'where' | 'sort'>;

/** Plans the options `include[path][…]` of one relationship. */
export function planEmbed(
  relationship: CompiledRelationship,
  embeds: readonly EmbedParameter[],
  faults: FaultList,
  budget: ConditionBudget,
): EmbedPlan {
  const { target, kind } = relationship;
  if (embeds.length === 0)
    return {
      select: target.shown,
      hasEtag: false,
      perParentMax: kind === 'to_one' ? 1 : PER_PARENT_DEFAULT,
      where: [],
      sort: [],
    };
  const options = readOptions(embeds);
  const { controls } = options;
  if (kind === 'to_one') rejectForOne(controls, faults);
  const select = planColumns(relationship, controls, faults);
  return {
    select,
    hasEtag: hasEtag(target, controls.get('_select'), select, faults),
    perParentMax: kind === 'to_one' ? 1 : readLimit(controls.get('limit'), faults),
    where: planWhere(target, options, faults, budget),
    sort: readSort(relationship, controls.get('sort'), faults),
  };
}

/** Plans the options for an include that only counts related records. Only filters are allowed. */
export function planCountEmbed(
  { target }: CompiledRelationship,
  embeds: readonly EmbedParameter[],
  faults: FaultList,
  budget: ConditionBudget,
): EmbedPlan {
  const options = readOptions(embeds);
  for (const control of SHAPING) {
    const embed = options.controls.get(control);
    if (embed !== undefined)
      faults.add(
        ['query', embed.key],
        'A count only accepts filters, because its records are not returned.',
        'no_meaning',
      );
  }
  return {
    select: [],
    hasEtag: false,
    perParentMax: 0,
    where: planWhere(target, options, faults, budget),
    sort: [],
  };
}

/** Options that have no meaning for counted records. */
const SHAPING = ['limit', 'sort', '_select', '_omit'] as const satisfies readonly EmbedControl[];

interface EmbedOptions {
  readonly controls: ReadonlyMap<EmbedControl, EmbedParameter>;
  readonly filters: readonly FilterParameter[];
}

function readOptions(embeds: readonly EmbedParameter[]): EmbedOptions {
  const controls = new Map<EmbedControl, EmbedParameter>();
  const filters: FilterParameter[] = [];
  for (const embed of embeds) {
    const { option } = embed;
    if (option.kind === 'filter') filters.push({ ...option, key: embed.key, value: embed.value });
    else controls.set(option.control, embed);
  }
  return { controls, filters };
}

function planWhere(
  target: CompiledTable,
  { controls, filters }: EmbedOptions,
  faults: FaultList,
  budget: ConditionBudget,
): EmbedPlan['where'] {
  const textOf = (control: EmbedControl): string | null => controls.get(control)?.value ?? null;
  const keyOf = (control: string): string => controls.get(control as EmbedControl)?.key ?? control;
  return planFilters(
    target,
    { filters, createdAfter: textOf('created_after'), filter: textOf('_filter'), where: textOf('where') },
    faults,
    budget,
    keyOf,
  );
}

function rejectForOne(controls: ReadonlyMap<EmbedControl, EmbedParameter>, faults: FaultList): void {
  for (const control of ['limit', 'sort'] as const) {
    const embed = controls.get(control);
    if (embed !== undefined)
      faults.add(['query', embed.key], 'A to-one relationship cannot be sorted or limited.', 'not_to_many');
  }
}

function planColumns(
  { target }: CompiledRelationship,
  controls: ReadonlyMap<EmbedControl, EmbedParameter>,
  faults: FaultList,
): EmbedPlan['select'] {
  const [select, omit] = [controls.get('_select'), controls.get('_omit')];
  const chosen =
    select === undefined ? target.shown : readSelection(target, select.key, select.value, faults);
  if (omit === undefined) return chosen;
  const omitted = readColumnNames(target, omit.key, omit.value, faults);
  return chosen.filter((column) => !omitted.includes(column));
}

function hasEtag(
  target: CompiledTable,
  embed: EmbedParameter | undefined,
  columns: EmbedPlan['select'],
  faults: FaultList,
): boolean {
  return embed !== undefined && readEtag(target, embed.key, embed.value, columns, faults);
}

function readLimit(embed: EmbedParameter | undefined, faults: FaultList): number {
  if (embed === undefined) return PER_PARENT_DEFAULT;
  const limit = readCount(embed.key, embed.value, 0, faults) ?? PER_PARENT_DEFAULT;
  if (limit > PER_PARENT_MAX)
    faults.add(
      ['query', embed.key],
      `A record can include at most ${PER_PARENT_MAX} records of one relationship.`,
      'less_than_equal',
    );
  return limit;
}

function readSort(
  { target }: CompiledRelationship,
  embed: EmbedParameter | undefined,
  faults: FaultList,
): readonly SortKey[] {
  if (embed === undefined) return [];
  const keys = readSortKeys(target, embed.value, 'ASC', faults, { control: embed.key });
  if (keys.some((key) => key.path.length > 0))
    faults.add(
      ['query', embed.key],
      'Included records can only be sorted by their own columns.',
      'not_sortable',
    );
  return keys;
}
