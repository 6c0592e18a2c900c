import { numbersOfKind } from './mysql-errors.js';

/**
 * The numbers of server errors that code handles one by one. A number is the same on both engines, unless its
 * name or its comment says otherwise. `mysql-errors.ts` groups all numbers by their meaning for API clients.
 */
export const CANNOT_CREATE_TABLE = 1005;
/** A row has changed since the transaction's snapshot. MariaDB uses snapshot isolation from version 11.8. */
export const ROW_CHANGED = 1020;
export const TOO_MANY_CONNECTIONS = 1040;
export const SCHEMA_ACCESS_DENIED = 1044;
export const LOGIN_DENIED = 1045;
/** The node is not part of its cluster. It executed nothing, and another node may execute the statement. */
export const NODE_NOT_READY = 1047;
export const NULL_IN_NOT_NULL_COLUMN = 1048;
export const UNKNOWN_SCHEMA = 1049;
export const SERVER_SHUTDOWN = 1053;
export const UNKNOWN_COLUMN = 1054;
export const NOT_GROUPED = 1055;
/** Another row with the same values in a unique key exists. */
export const DUPLICATE_KEY = 1062;
export const SYNTAX_ERROR = 1064;
export const NO_SUCH_THREAD = 1094;
export const HOST_NOT_ALLOWED = 1130;
export const NULL_NOT_ALLOWED = 1138;
export const NO_SUCH_GRANT = 1141;
export const TABLE_ACCESS_DENIED = 1142;
export const COLUMN_ACCESS_DENIED = 1143;
export const NO_SUCH_TABLE = 1146;
export const NO_SUCH_TABLE_GRANT = 1147;
/** The COMMIT failed. On a cluster, other nodes may still have applied the transaction. */
export const COMMIT_FAILED = 1180;
export const UNKNOWN_VARIABLE = 1193;
export const TOO_MANY_USER_CONNECTIONS = 1203;
export const LOCK_WAIT_TIMEOUT = 1205;
export const DEADLOCK = 1213;
export const CANNOT_ADD_FOREIGN_KEY = 1215;
/** A referenced row cannot be changed. The message does not name the constraint. */
export const ROW_IS_REFERENCED_UNNAMED = 1217;
export const ACCOUNT_LIMIT_REACHED = 1226;
/** The statement needs a global privilege. */
export const PRIVILEGE_REQUIRED = 1227;
export const NOT_SUPPORTED_YET = 1235;
export const UNKNOWN_STATEMENT_HANDLE = 1243;
export const AUTHENTICATION_NOT_SUPPORTED = 1251;
export const OUT_OF_RANGE = 1264;
export const DATA_TRUNCATED = 1265;
/** REVOKE ALL failed for at least one account. */
export const CANNOT_REVOKE_ALL = 1269;
export const UNKNOWN_COLLATION = 1273;
export const SECURE_AUTHENTICATION_REQUIRED = 1275;
/** A server option, such as `read_only`, rejects the statement. */
export const OPTION_PREVENTS_STATEMENT = 1290;
export const WRONG_VALUE = 1292;
export const NO_SUCH_ROUTINE = 1305;
/** Another session ended the statement with KILL QUERY. */
export const QUERY_INTERRUPTED = 1317;
/** EXPLAIN failed, because the account may not read the tables of a view. */
export const VIEW_HIDES = 1345;
export const INVALID_VIEW = 1356;
export const NO_SUCH_TRIGGER = 1360;
export const NO_DEFAULT = 1364;
export const DIVISION_BY_ZERO = 1365;
export const WRONG_VALUE_FOR_COLUMN = 1366;
export const ROUTINE_ACCESS_DENIED = 1370;
export const NO_SUCH_ACCOUNT = 1396;
/** The prepared transaction has ended, or a session still holds it. */
export const UNKNOWN_XID = 1397;
/** The account may not list prepared transactions. */
export const XA_RESOURCE_ERROR = 1401;
export const DATA_TOO_LONG = 1406;
export const CANNOT_CREATE_ACCOUNT_BY_GRANT = 1410;
export const WRONG_VALUE_FOR_FUNCTION = 1411;
export const TABLE_DEFINITION_CHANGED = 1412;
export const ROW_IS_REFERENCED = 1451;
/** The referenced row does not exist. */
export const NO_REFERENCED_ROW = 1452;
export const PLUGIN_NOT_LOADED = 1524;
export const NO_PARTITION_FOR_VALUE = 1526;
export const STATEMENT_NEEDS_REPREPARE = 1615;
export const LOGIN_DENIED_WITHOUT_PASSWORD = 1698;
export const TRANSACTION_IS_READ_ONLY = 1792;
export const UNKNOWN_ALGORITHM = 1800;
/** The file of the table was detached from the server. */
export const TABLESPACE_DISCARDED = 1814;
export const PASSWORD_CHANGE_REQUIRED = 1820;
export const REFERENCED_TABLE_NOT_FOUND = 1824;
export const COLUMN_IN_FOREIGN_KEY = 1832;
export const COLUMN_IN_FOREIGN_KEY_OF_CHILD = 1833;
export const SERVER_IS_READ_ONLY = 1836;
export const ALGORITHM_NOT_SUPPORTED = 1845;
export const ALGORITHM_NOT_SUPPORTED_WITH_REASON = 1846;
export const PASSWORD_EXPIRED = 1862;
/** Another session ended the connection with KILL. MariaDB only. */
export const CONNECTION_KILLED = 1927;
export const MARIADB_STATEMENT_TIMEOUT = 1969;
export const CONNECTION_GONE = 2006;
export const CONNECTION_LOST = 2013;
export const MYSQL_STATEMENT_TIMEOUT = 3024;
export const MYSQL_ACCOUNT_LOCKED = 3118;
export const INVALID_JSON = 3140;
export const TLS_REQUIRED = 3159;
/** A row is locked and was read with NOWAIT. MySQL only. */
export const LOCKED_NOWAIT = 3572;
export const TABLE_IS_REFERENCED = 3730;
export const INCOMPATIBLE_FOREIGN_KEY_COLUMNS = 3780;
export const MYSQL_CHECK_FAILED = 3819;
export const CANNOT_CONVERT_STRING = 3854;
/** The owner of a MySQL schema made the schema read-only. */
export const SCHEMA_IS_READ_ONLY = 3989;
export const MARIADB_CHECK_FAILED = 4025;
/** The server ended a session that was idle for too long. MySQL only. */
export const IDLE_SESSION_ENDED = 4031;
export const MARIADB_INCOMPATIBLE_TYPES = 4078;
/** An InnoDB table has too many instant row versions. MySQL only. */
export const TOO_MANY_ROW_VERSIONS = 4092;
export const MARIADB_ACCOUNT_LOCKED = 4151;
/** A nested cascade met foreign keys that were being replaced. MySQL only. */
export const NESTED_CASCADE = 6575;

/** The error numbers of statements that were stopped because they took too long or were killed. */
export const TIMEOUT_NUMBERS = numbersOfKind('timeout');
