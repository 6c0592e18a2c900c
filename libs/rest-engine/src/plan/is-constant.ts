import type { Condition } from './condition.js';

/**
 * Reports whether a condition has the same result for every record because of its form alone. Examples are
 * "every related record matches anything" and "at least 0 related records".
 */
export function isConstant(condition: Condition): boolean {
  return judge(condition) !== 'open';
}

function judge(condition: Condition): 'always' | 'never' | 'open' {
  switch (condition.kind) {
    case 'not':
      return opposite(judge(condition.condition));
    case 'group':
      return judgeGroup(condition.operator, condition.conditions.map(judge));
    case 'related': {
      if (condition.where.length > 0 && !condition.where.every((condition) => judge(condition) === 'always'))
        return 'open';
      return condition.quantifier === 'every' ? 'always' : 'open';
    }
    case 'related_count': {
      if (!/^0+$/.test(condition.value)) return 'open';
      return condition.operator === '>=' ? 'always' : condition.operator === '<' ? 'never' : 'open';
    }
    default:
      return 'open';
  }
}

function opposite(judged: ReturnType<typeof judge>): ReturnType<typeof judge> {
  return judged === 'always' ? 'never' : judged === 'never' ? 'always' : 'open';
}

function judgeGroup(
  operator: 'AND' | 'OR',
  judged: readonly ReturnType<typeof judge>[],
): ReturnType<typeof judge> {
  const [deciding, other] =
    operator === 'AND' ? (['never', 'always'] as const) : (['always', 'never'] as const);
  if (judged.includes(deciding)) return deciding;
  return judged.every((item) => item === other) ? other : 'open';
}
