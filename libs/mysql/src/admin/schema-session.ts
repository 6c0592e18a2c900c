import type { EngineKind } from '@rowhouse/schema-model';

/**
 * Returns the mode in which tables are created and altered: strict for values, and open to zero dates. A
 * server refuses every ALTER of a table with a zero default under NO_ZERO_DATE, so one such column would
 * block all later changes.
 */
export function toSchemaSqlMode(engine: EngineKind): string {
  return `${engine === 'mysql' ? 'ONLY_FULL_GROUP_BY,' : ''}STRICT_TRANS_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION`;
}

/**
 * Settings that an operator may have changed and that decide what a definition means. No account needs a
 * right for them.
 */
const COMMON =
  'foreign_key_checks=1, unique_checks=1, div_precision_increment=4, sql_quote_show_create=1, default_storage_engine=InnoDB';
const OF_ENGINE: Readonly<Record<EngineKind, string>> = {
  mariadb: ', check_constraint_checks=1, innodb_strict_mode=1, explicit_defaults_for_timestamp=1',
  mysql: '',
};

/**
 * Returns the settings of every session that applies, tries or runs table definitions. All of them share one
 * set: what one of these sessions accepts, the others accept too. Views, triggers and routines are created in
 * the platform's mode, which they keep.
 */
export function toSchemaSettings(engine: EngineKind): string {
  return `${COMMON}${OF_ENGINE[engine]}`;
}
