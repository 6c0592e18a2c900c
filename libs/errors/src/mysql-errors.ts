import type { ErrorCode } from './codes.js';

/**
 * The meaning of a MySQL error number. `code` is for API clients, and `kind` for the code that ran the
 * statement.
 */
export interface MysqlErrorMeaning {
  readonly code: ErrorCode;
  readonly kind: MysqlErrorKind;
}

/** The database engine. Error numbers from 1900 have different meanings on MariaDB and MySQL. */
export type MysqlEngine = 'mariadb' | 'mysql';

/**
 * The kind of an error. All error numbers of a kind are handled in the same way. These kinds need an
 * explanation:
 *
 * - `value`, `expression`, `row`: the engine rejected one value, an expression computed from it, or the whole
 *   record.
 * - `partition`: the table has no partition for the record.
 * - `charset`: a text cannot be compared with a column of another character set.
 * - `pattern`, `pattern_cost`: a regular expression is invalid or too expensive.
 * - `complex`: the statement exceeds what the engine can plan or buffer.
 * - `signal`: a trigger or routine raised the error on purpose.
 * - `broken`: a trigger, routine, view or generated column failed.
 * - `retry`: the engine rolled the statement back. The whole plan may run again.
 * - `stale`: the schema changed after the statement was planned. It may be planned again with the new schema.
 * - `exhausted`: AUTO_INCREMENT has no number left.
 */
export type MysqlErrorKind =
  | 'duplicate'
  | 'foreign_key_target'
  | 'foreign_key_use'
  | 'check'
  | 'partition'
  | 'signal'
  | 'broken'
  | 'value'
  | 'row'
  | 'not_null'
  | 'expression'
  | 'charset'
  | 'pattern'
  | 'pattern_cost'
  | 'complex'
  | 'retry'
  | 'stale'
  | 'timeout'
  | 'busy'
  | 'unavailable'
  | 'missing'
  | 'storage'
  | 'exhausted'
  | 'size';

interface Entry {
  readonly kind: MysqlErrorKind;
  readonly code: ErrorCode;
  /** The error numbers that have this meaning on both engines. */
  readonly both: readonly number[];
  readonly mariadb?: readonly number[];
  readonly mysql?: readonly number[];
}

/**
 * The error numbers that a statement on rows can cause. Any other number is a defect of the platform, or
 * comes from a SIGNAL in a user's trigger or routine.
 */
const TABLE: readonly Entry[] = [
  {
    kind: 'duplicate',
    code: 'record.duplicate',
    both: [1022, 1062, 1169, 1557, 1586, 1761, 1762, 1859, 1869],
  },
  { kind: 'foreign_key_use', code: 'record.foreign_key', both: [1217, 1451, 1834], mysql: [3008] },
  { kind: 'foreign_key_target', code: 'record.foreign_key', both: [1216, 1452] },
  { kind: 'check', code: 'record.check_failed', both: [1369], mariadb: [4025], mysql: [3819] },
  { kind: 'partition', code: 'body.invalid', both: [1526, 1591, 1737, 1748, 1863] },
  { kind: 'signal', code: 'record.rejected', both: [1642, 1643, 1644] },
  { kind: 'not_null', code: 'body.invalid', both: [1048, 1138, 1263], mysql: [3673] },
  {
    kind: 'value',
    code: 'body.invalid',
    both: [1264, 1265, 1292, 1366, 1367, 1406, 1411, 1416, 1425, 1426, 1441, 1525, 1654, 3037, 3055],
    mariadb: [1918, 4035, 4036, 4037, 4038, 4039, 4040, 4048, 4049, 4050, 4076, 4161],
    mysql: [
      3033, 3034, 3069, 3070, 3071, 3072, 3073, 3140, 3141, 3142, 3144, 3145, 3146, 3147, 3151, 3155, 3156,
      3157, 3158, 3516, 3548, 3616, 3617, 3618, 3643, 3672, 3682, 3704, 3705, 3727, 3731, 3732, 3751, 3752,
      3903, 3904, 3907, 3908, 3934, 3966, 3967, 3998, 4032, 4033, 4074, 4122, 6134, 6136, 6137, 6138, 6527,
    ],
  },
  { kind: 'row', code: 'body.invalid', both: [1118, 1713], mysql: [3150, 3905, 3906] },
  { kind: 'expression', code: 'body.invalid', both: [1365, 1690], mariadb: [1916], mysql: [3020] },
  { kind: 'charset', code: 'params.invalid', both: [1267, 1270, 1271, 1300], mysql: [3854, 3988, 3995] },
  {
    kind: 'pattern',
    code: 'params.invalid',
    both: [1139],
    mysql: [
      3684, 3685, 3686, 3688, 3689, 3690, 3691, 3692, 3693, 3694, 3695, 3696, 3697, 3700, 3887, 3900, 4007,
    ],
  },
  { kind: 'pattern_cost', code: 'params.invalid', both: [], mysql: [3687, 3698, 3699] },
  {
    kind: 'complex',
    code: 'params.invalid',
    both: [188, 1104, 1116, 1119, 1436],
    mysql: [3170, 3171, 3186, 3636, 4169],
  },
  {
    kind: 'broken',
    code: 'schema.broken_object',
    both: [
      1123, 1128, 1172, 1242, 1305, 1318, 1321, 1325, 1326, 1328, 1329, 1335, 1336, 1339, 1370, 1415, 1422,
      1423, 1424, 1442, 1443, 1444, 1447, 1449, 1454, 1456, 1462, 1602, 1603, 1604, 1606, 1645, 1710, 1711,
      1746,
    ],
    mysql: [3200, 3763, 6576, 6577],
  },
  { kind: 'retry', code: 'db.deadlock', both: [1020, 1205, 1213, 1689], mysql: [3101, 3572] },
  // Concurrent DDL causes these errors: a table became a view, a column became generated, or an index was
  // dropped.
  {
    kind: 'stale',
    code: 'db.schema_changing',
    both: [1054, 1136, 1142, 1143, 1146, 1191, 1243, 1288, 1347, 1348, 1356, 1364, 1412, 1471, 1615, 1764],
    mariadb: [1906],
    mysql: [3105, 6575],
  },
  { kind: 'timeout', code: 'limit.statement_time', both: [1028, 1317], mariadb: [1969], mysql: [3024] },
  {
    kind: 'busy',
    code: 'limit.busy',
    both: [1037, 1038, 1040, 1041, 1135, 1203, 1206, 1226, 1461, 1637],
    mysql: [3015, 3985, 4081, 4082, 6411],
  },
  {
    kind: 'unavailable',
    code: 'db.unavailable',
    both: [
      1015, 1016, 1017, 1023, 1024, 1026, 1030, 1032, 1034, 1035, 1036, 1044, 1045, 1047, 1053, 1077, 1129,
      1130, 1158, 1159, 1160, 1161, 1180, 1181, 1184, 1194, 1195, 1223, 1227, 1290, 1296, 1297, 1429, 1430,
      1696, 1698, 1712, 1792, 1810, 1811, 1812, 1814, 1815, 1817, 1836, 1873, 1874, 1877, 1878, 1881, 2002,
      2003, 2006, 2013,
    ],
    mariadb: [1927, 1932, 1964, 4151],
    mysql: [3032, 3100, 3118, 3159, 3168, 3169, 3231, 3955, 3989, 4031, 4156, 6400],
  },
  { kind: 'missing', code: 'db.missing', both: [1049] },
  { kind: 'storage', code: 'limit.storage', both: [1021, 1114], mysql: [3019, 3675] },
  { kind: 'exhausted', code: 'limit.storage', both: [167, 1467], mariadb: [4084] },
  { kind: 'size', code: 'request.body_too_large', both: [1153, 1162, 1301], mysql: [3068] },
];

function indexFor(engine: MysqlEngine): ReadonlyMap<number, MysqlErrorMeaning> {
  return new Map(
    TABLE.flatMap(({ kind, code, both, [engine]: own = [] }) =>
      [...both, ...own].map((errno): [number, MysqlErrorMeaning] => [errno, { code, kind }]),
    ),
  );
}

const BY_NUMBER: Readonly<Record<MysqlEngine, ReadonlyMap<number, MysqlErrorMeaning>>> = {
  mariadb: indexFor('mariadb'),
  mysql: indexFor('mysql'),
};

/**
 * Returns the meaning of an error number. Returns null for an unknown number, for which `isAuthorsOwn` tells
 * whether a SIGNAL raised it.
 */
export function readMysqlError(errno: number, engine: MysqlEngine): MysqlErrorMeaning | null {
  return BY_NUMBER[engine].get(errno) ?? null;
}

/** Returns all error numbers of a kind on both engines. */
export function numbersOfKind(kind: MysqlErrorKind): ReadonlySet<number> {
  return new Set(
    TABLE.filter((entry) => entry.kind === kind).flatMap(({ both, mariadb = [], mysql = [] }) => [
      ...both,
      ...mariadb,
      ...mysql,
    ]),
  );
}

/** Returns all known error numbers of an engine with their meanings. Only tests use it. */
export function listMysqlErrors(
  engine: MysqlEngine,
): readonly (MysqlErrorMeaning & { readonly errno: number })[] {
  return [...BY_NUMBER[engine]].map(([errno, meaning]) => ({ errno, ...meaning }));
}

/** The SQLSTATE values that database servers use for their own errors. */
const SERVER_STATES = new Set([
  '01000',
  '01S00',
  '01S01',
  '02000',
  '08001',
  '08003',
  '08004',
  '08S01',
  '0A000',
  '0K000',
  '0Z002',
  '20000',
  '21000',
  '21S01',
  '22001',
  '22002',
  '22003',
  '22004',
  '22007',
  '22008',
  '22012',
  '22018',
  '22023',
  '22032',
  '22034',
  '22035',
  '2201E',
  '2202H',
  '2203F',
  '22S00',
  '22S01',
  '22S02',
  '22S03',
  '22S04',
  '22S05',
  '23000',
  '24000',
  '25000',
  '25001',
  '25006',
  '26000',
  '28000',
  '2F003',
  '2F005',
  '35000',
  '3D000',
  '40000',
  '40001',
  '42000',
  '42S01',
  '42S02',
  '42S12',
  '42S21',
  '42S22',
  '42Y07',
  '44000',
  '70100',
  'HY000',
  'HY001',
  'HY024',
]);
/**
 * The first error number that servers only write to their logs. They never send this or a higher number to
 * clients.
 */
const SERVER_NUMBERS_END = 10_000;

/**
 * Reports whether an unknown error must come from a SIGNAL in a trigger or routine. The author of a SIGNAL
 * chooses SQLSTATE and error number freely. Returns false if the server itself could have raised the error.
 */
export function isAuthorsOwn(errno: number, sqlState: string): boolean {
  return errno >= SERVER_NUMBERS_END || !(SERVER_STATES.has(sqlState) || /^(?:SR|SU|XA|XX)/.test(sqlState));
}
