import type { JsonCondition } from '../plan/plan.js';
import type { BoundValue } from './statement.js';

const NUMBER_TYPES = "('INTEGER', 'UNSIGNED INTEGER', 'DOUBLE', 'DECIMAL')";

/** `name`: the JSON column. Paths are bound like values. */
export function jsonSql(condition: JsonCondition, name: string, params: BoundValue[]): string {
  const extract = (): string => {
    params.push(condition.path ?? '$');
    return `JSON_EXTRACT(${name}, ?)`;
  };
  switch (condition.kind) {
    case 'json_null': return `COALESCE(JSON_TYPE(${extract()}), 'NULL') ${condition.isNull ? '=' : '<>'} 'NULL'`;
    case 'json_compare': {
      const types = condition.as === 'number' ? `IN ${NUMBER_TYPES}` : `= '${condition.as === 'boolean' ? 'BOOLEAN' : 'STRING'}'`;
      const type = `JSON_TYPE(${extract()}) ${types}`;
      const value = condition.as === 'number' ? `(${extract()} + 0e0)` : `JSON_UNQUOTE(${extract()})`;
      params.push(condition.value);
      return `(${type} AND ${value} ${condition.operator} ?)`;
    }
    case 'json_like': {
      const subject = `JSON_UNQUOTE(${extract()})`;
      params.push(condition.pattern);
      const word = condition.isNegated ? 'NOT LIKE' : 'LIKE';
      return condition.mode === 'blind' ? `LOWER(${subject}) ${word} LOWER(?)` : `${subject} ${word} ?`;
    }
    case 'json_regex': {
      const subject = `JSON_UNQUOTE(${extract()})`;
      params.push(condition.pattern);
      return `${subject} REGEXP ?`;
    }
    case 'json_contains': {
      params.push(condition.value);
      if (condition.path === null) return `JSON_CONTAINS(${name}, ?)`;
      params.push(condition.path);
      return `JSON_CONTAINS(${name}, ?, ?)`;
    }
    case 'json_has_key': {
      params.push(condition.path);
      return `JSON_CONTAINS_PATH(${name}, 'one', ?)`;
    }
  }
}
