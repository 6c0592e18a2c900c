/**
 * All error codes with their HTTP status and default text. An error may have a more precise `detail`.
 * `docs/errors.md` is generated from this table.
 */
export const ERROR_CODES = {
  'request.malformed_json': { status: 400, text: 'The body is not valid JSON.' },
  'request.bad_escape': { status: 400, text: 'The URL contains an invalid percent escape or invalid UTF-8.' },
  'request.invalid_utf8': { status: 400, text: 'The request contains bytes that are not valid UTF-8.' },
  'request.bad_header': { status: 400, text: 'A request header is malformed.' },
  'request.malformed': { status: 400, text: 'The request is malformed.' },
  'request.not_acceptable': { status: 406, text: 'This endpoint offers none of the media types in Accept.' },
  'request.timeout': {
    status: 408,
    text: 'The client took too long to send the request or to read the response.',
  },
  'request.body_too_large': { status: 413, text: 'The body is larger than the limit.' },
  'request.url_too_long': { status: 414, text: 'The URL is longer than 16 KiB.' },
  'request.unsupported_type': {
    status: 415,
    text: 'The request body must be JSON. Send Content-Type: application/json.',
  },
  'request.compressed_body': {
    status: 415,
    text: 'Compressed request bodies are not supported. Send the body uncompressed.',
  },
  'request.headers_too_large': { status: 431, text: 'The request headers are larger than the limit.' },
  'request.method_not_allowed': { status: 405, text: 'This path does not support the request method.' },
  'request.not_found': { status: 404, text: 'There is no endpoint at this path.' },
  'request.invalid': { status: 422, text: 'The request is not valid.' },

  'auth.missing_key': { status: 401, text: 'An API key is required. Send Authorization: Bearer <key>.' },
  'auth.invalid_key': { status: 401, text: 'The API key is not valid.' },
  'auth.expired_key': { status: 401, text: 'The API key has expired.' },
  'auth.origin_refused': { status: 403, text: 'This API key is not allowed from this origin.' },
  'auth.scope': { status: 403, text: 'The API key lacks the scope that this request requires.' },
  'auth.missing_session': { status: 401, text: 'Sign in first.' },
  'auth.bad_credentials': { status: 401, text: 'The email address or the password is wrong.' },
  'auth.second_factor_required': {
    status: 401,
    text: 'The password is right. This account also needs a code to sign in.',
  },
  'auth.sign_in_expired': { status: 401, text: 'This sign-in has expired. Start again with your password.' },
  'auth.bad_code': {
    status: 401,
    text: 'The code is wrong, has expired or was already used.',
  },
  'auth.bad_passkey': { status: 401, text: 'This passkey is unknown, or it could not be verified.' },
  'auth.two_factor_required': {
    status: 403,
    text: 'This organization requires two-factor authentication, and your account does not have it.',
  },
  'auth.bad_token': { status: 404, text: 'This link is unknown, expired or already used.' },
  'auth.csrf': { status: 403, text: 'The X-CSRF-Token header is missing or wrong.' },
  'auth.role': { status: 403, text: 'Your role in this organization does not allow this.' },
  'auth.owner_connections_off': {
    status: 403,
    text: 'Connections with the owner role are disabled on this installation. Use the role read-write or read-only, and change the schema with deploys.',
  },
  'auth.signup_closed': { status: 403, text: 'Sign-up is disabled on this installation.' },

  'table.not_found': { status: 404, text: 'The table does not exist.' },
  'table.no_key': {
    status: 404,
    text: 'This table has no key that identifies a single record. Only listing and creating records is supported.',
  },
  'table.read_only': { status: 405, text: 'This view is read-only.' },
  'record.not_found': { status: 404, text: 'The record does not exist.' },
  'params.invalid': { status: 422, text: 'A query parameter is not valid.' },
  'body.invalid': { status: 422, text: 'The body is not valid.' },
  'key.invalid': { status: 422, text: 'The record identifier is not valid.' },
  'record.duplicate': { status: 409, text: 'A record with these values already exists.' },
  'record.foreign_key': { status: 409, text: 'A foreign key constraint prevents this change.' },
  'record.max_affected': {
    status: 409,
    text: 'The change would affect more records than max-affected allows.',
  },
  'record.check_failed': { status: 422, text: 'The values violate a check constraint.' },
  'record.rejected': { status: 422, text: 'A trigger of this table rejected the values.' },
  'record.stale': { status: 412, text: 'The record has changed since this version was read.' },
  'record.precondition_failed': { status: 412, text: 'A precondition of the request failed.' },
  'record.precondition_required': { status: 428, text: 'Writes to this table require an If-Match header.' },
  'idempotency.mismatch': {
    status: 422,
    text: 'This Idempotency-Key was already used for a different request.',
  },
  'idempotency.running': { status: 409, text: 'The request with this Idempotency-Key is still running.' },
  'idempotency.too_large': {
    status: 422,
    text: 'The response is larger than 256 KiB, so it cannot be stored for this Idempotency-Key.',
  },

  'query.not_understood': { status: 422, text: 'The question was not understood.' },
  'query.ambiguous': { status: 422, text: 'The question has more than one interpretation.' },
  'query.not_allowed': { status: 403, text: 'This statement is not allowed on the query endpoint.' },
  'query.invalid_sql': { status: 400, text: 'The SQL is invalid.' },
  'query.unknown_table': { status: 400, text: 'The SQL refers to an unknown table.' },
  'query.unknown_column': { status: 400, text: 'The SQL refers to an unknown column.' },
  'query.timeout': { status: 504, text: 'The statement exceeded its time limit and was stopped.' },
  'llm.unavailable': { status: 503, text: 'The language model is unavailable.' },
  'llm.bad_output': { status: 502, text: 'The language model returned an unusable response.' },
  'llm.truncated': { status: 502, text: 'The response of the language model was truncated.' },
  'llm.refused': { status: 502, text: 'The language model declined to answer.' },
  'llm.budget': { status: 429, text: 'The budget for language model calls is exhausted.' },

  'limit.rate': { status: 429, text: 'Too many requests.' },
  'limit.address': { status: 429, text: 'Too many requests from this IP address.' },
  'limit.concurrency': { status: 429, text: 'Too many concurrent requests with this API key.' },
  'limit.streams': { status: 429, text: 'Too many concurrent streams with this API key.' },
  'limit.unknown_keys': {
    status: 429,
    text: 'Too many requests with unknown API keys from this IP address.',
  },
  'limit.sign_in': { status: 429, text: 'Too many sign-in attempts.' },
  'limit.page_rows': { status: 422, text: 'A page can hold at most 1,000 rows.' },
  'limit.bulk_rows': { status: 422, text: 'A request can create at most 10,000 records.' },
  'limit.upsert_rows': { status: 422, text: 'A request with _on_conflict can hold at most 1,000 records.' },
  'limit.nested_records': { status: 422, text: 'A request can write at most 1,000 nested records.' },
  'limit.filtered_rows': { status: 422, text: 'A write by filter can change at most 10,000 records.' },
  'limit.batch_operations': { status: 422, text: 'A batch can hold at most 100 operations.' },
  'limit.batch_rows': {
    status: 422,
    text: 'The operations of a batch can create at most 10,000 records in total.',
  },
  'limit.batch_time': {
    status: 504,
    text: 'The operations of a batch exceeded their total time limit of 30 seconds.',
  },
  'limit.statement_time': {
    status: 504,
    text: 'The statement exceeded its time limit (10 seconds, or 60 seconds in a stream) and was stopped.',
  },
  'limit.query_cost': {
    status: 422,
    text: 'The statement would examine more rows than this API key allows.',
  },
  'limit.response_size': {
    status: 507,
    text: 'The response is larger than 64 MiB. Request fewer rows or use a stream.',
  },
  'limit.tool_answer': {
    status: 507,
    text: 'The result of a tool can hold at most 262,144 bytes. Request fewer records, fields or tables.',
  },
  'limit.storage': { status: 507, text: 'The storage quota of this database is exhausted.' },
  'limit.busy': { status: 503, text: 'No database connection became available in time.' },

  'schema.stale_base': { status: 409, text: 'The deployed schema has changed since this plan was created.' },
  'schema.loss_not_accepted': { status: 409, text: 'This deploy would lose data.' },
  'schema.needs_rebuild': {
    status: 409,
    text: 'The database server can only make this change by copying a large table.',
  },
  'schema.needs_confirmation': {
    status: 409,
    text: 'The plan differs from the one that was shown. Confirm the new plan.',
  },
  'schema.locked': { status: 409, text: 'The operator has disabled schema changes.' },
  'schema.busy': { status: 409, text: 'Another migration of this database is still running.' },
  'schema.rename_not_possible': {
    status: 409,
    text: 'The change contains a rename that cannot be carried out.',
  },
  'schema.not_possible': {
    status: 409,
    text: 'This action is not possible in the current state of the migration.',
  },
  'schema.rows_in_the_way': { status: 409, text: 'Existing rows are incompatible with this change.' },
  'schema.drift': { status: 409, text: 'The database no longer matches its last deployed schema.' },
  'schema.broken_object': {
    status: 409,
    text: 'A view, trigger, generated column, foreign key or tablespace of this table no longer works.',
  },
  'schema.invalid_sql': { status: 422, text: 'The schema SQL is invalid.' },
  'schema.statement_not_allowed': { status: 422, text: 'This kind of statement is not allowed in a schema.' },
  'schema.not_understood': { status: 422, text: 'The description of the change was not understood.' },
  'schema.too_large': { status: 422, text: 'The schema text is larger than the limit.' },

  'transfer.not_possible': { status: 409, text: 'This action is not possible with this file.' },
  'transfer.too_large': { status: 413, text: 'An export or import file can hold at most 4 GiB, compressed.' },
  'transfer.row_too_large': {
    status: 422,
    text: 'A row is larger than the database server accepts in one statement.',
  },
  'transfer.too_many': {
    status: 409,
    text: 'A project can have at most 50 exports, imports and shares at a time.',
  },
  'transfer.unreadable': { status: 422, text: 'The uploaded file is not a readable dump.' },
  'transfer.rows_refused': { status: 409, text: 'The database rejected rows of this file.' },
  'transfer.differs': { status: 409, text: 'The imported rows differ from the rows of the file.' },

  'resource.not_found': { status: 404, text: 'The resource does not exist.' },
  'resource.conflict': { status: 409, text: 'A resource with this name already exists.' },
  'resource.confirmation': { status: 422, text: 'Confirm with the name of the resource.' },

  'db.unavailable': { status: 503, text: 'The database is unavailable.' },
  'db.account_refused': {
    status: 503,
    text: 'The database server rejected an account of Rowhouse, which is repaired automatically. Try again.',
  },
  'db.missing': {
    status: 503,
    text: 'The database no longer exists on its server. It was dropped over a direct connection.',
  },
  'db.timeout': { status: 504, text: 'The database did not respond in time.' },
  'db.schema_changing': { status: 503, text: 'The schema of this table is changing. Try again.' },
  'db.outcome_unknown': {
    status: 503,
    text: 'The connection was lost during the write. The write may or may not have been committed.',
  },
  'db.suspended': { status: 503, text: 'This database is suspended.' },
  'db.deadlock': { status: 503, text: 'The write conflicted with other writes to the same rows. Try again.' },
  'db.provisioning': { status: 503, text: 'The database is still being created.' },
  'platform.unavailable': { status: 503, text: 'The platform database is unavailable.' },

  'internal.defect': { status: 500, text: 'An internal error occurred.' },
} as const satisfies Record<string, { status: number; text: string }>;

export type ErrorCode = keyof typeof ERROR_CODES;
