import type { EngineKind } from '@rowhouse/schema-model';
import type { Statement, StatementRound } from './statement.js';

/** The SQL mode of the gateway's sessions without the modes that reject days and months of zero. */
const MODE = 'STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION';

/** Allows the writes of a round to store days and months of zero. */
export function allowOddDays(round: StatementRound, engine: EngineKind): StatementRound {
  return { ...round, statements: round.statements.map((statement) => allowOn(statement, engine)) };
}

/** Allows one statement to store days and months of zero. */
export function allowOn(statement: Statement, engine: EngineKind): Statement {
  const [, word = '', rest = ''] = /^(INSERT|UPDATE) ([^]*)$/.exec(statement.sql) ?? [];
  if (word === '') return statement;
  const sql =
    engine === 'mysql'
      ? `${word} /*+ SET_VAR(sql_mode='${MODE}') */ ${rest}`
      : `SET STATEMENT sql_mode='${MODE}' FOR ${statement.sql}`;
  return { ...statement, sql };
}
