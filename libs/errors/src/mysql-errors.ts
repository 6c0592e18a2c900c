import type { ErrorCode } from './codes.js';

/** What a MySQL error number means to the caller of a data API, and to the one who runs the statement. */
export interface MysqlErrorMeaning {
  readonly code: ErrorCode;
  readonly kind: MysqlErrorKind;
}

/**
 * `pattern`: of a regular expression. `value`: the engine refuses a value of one column. `charset`: a text cannot be compared with a column of another character set.
 * `retry`: rolled back, the whole plan may run again.
 * `stale`: the schema is not what the plan was made for; the plan may be made again on a newer snapshot.
 */
export type MysqlErrorKind =
  | 'duplicate' | 'foreign_key_target' | 'foreign_key_use' | 'check' | 'signal' | 'value' | 'not_null' | 'expression' | 'charset' | 'pattern' | 'pattern_cost'
  | 'retry' | 'stale' | 'timeout' | 'busy' | 'unavailable' | 'storage' | 'size';

const TABLE: readonly (readonly [MysqlErrorKind, ErrorCode, readonly number[]])[] = [
  ['duplicate', 'record.duplicate', [1022, 1062, 1169, 1586, 1859]],
  ['foreign_key_use', 'record.foreign_key', [1217, 1451, 1834]],
  ['foreign_key_target', 'record.foreign_key', [1216, 1452]],
  ['check', 'record.check_failed', [3819, 3820, 4025]],
  ['signal', 'record.rejected', [1644]],
  ['not_null', 'body.invalid', [1048, 1263]],
  ['value', 'body.invalid', [1264, 1265, 1292, 1366, 1406, 1411, 1416, 1525, 1652, 3037, 3072, 3073, 3074, 3075, 3076, 3140, 3141, 3144, 3155, 3156, 3157, 3158, 3548, 3617, 3618, 3643, 4038, 4048, 4161]],
  ['expression', 'body.invalid', [1365, 1690, 1916]],
  ['charset', 'params.invalid', [1267, 1270, 1271, 1273, 3854, 3988]],
  ['pattern', 'params.invalid', [1139, 3685, 3686, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3700]],
  ['pattern_cost', 'params.invalid', [3687, 3698, 3699]],
  ['retry', 'db.deadlock', [1205, 1213, 1020, 3572]],
  ['stale', 'db.schema_changing', [1054, 1136, 1142, 1143, 1146, 1243, 1364, 1412, 1615]],
  ['timeout', 'db.timeout', [1317, 1969, 3024]],
  ['busy', 'limit.busy', [1040, 1203, 1226, 1041, 1461]],
  ['unavailable', 'db.unavailable', [1030, 1044, 1045, 1047, 1053, 1077, 1129, 1130, 1158, 1159, 1160, 1161, 1184, 1290, 1698, 1836, 1927, 2002, 2003, 2006, 2013, 3118, 3159, 4151]],
  ['unavailable', 'db.missing', [1049]],
  ['storage', 'limit.storage', [1021, 1114, 3675]],
  ['size', 'request.body_too_large', [1153, 1301]],
];

const BY_NUMBER: ReadonlyMap<number, MysqlErrorMeaning> = new Map(
  TABLE.flatMap(([kind, code, numbers]) => numbers.map((errno): [number, MysqlErrorMeaning] => [errno, { code, kind }])),
);

/** The meaning of an error number of MySQL or MariaDB; null for one that is a defect of ours until it is listed here. */
export function readMysqlError(errno: number): MysqlErrorMeaning | null {
  return BY_NUMBER.get(errno) ?? null;
}
