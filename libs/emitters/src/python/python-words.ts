const KEYWORDS = [
  'False', 'None', 'True', 'and', 'as', 'assert', 'async', 'await', 'break', 'class', 'continue', 'def', 'del', 'elif', 'else', 'except', 'finally', 'for', 'from', 'global', 'if', 'import', 'in', 'is',
  'lambda', 'nonlocal', 'not', 'or', 'pass', 'raise', 'return', 'try', 'while', 'with', 'yield', 'print', 'exec', 'self',
];
/**
 * Names that generated class bodies use. An attribute of that name would hide them in the following lines.
 */
const USED = [
  'int', 'str', 'bool', 'float', 'bytes', 'list', 'dict', 'set', 'object', 'classmethod', 'property', 'staticmethod', 'dt', 'sa', 'mysql', 'Decimal', 'UUID', 'IPv4Address', 'IPv6Address', 'Any', 'Literal', 'Annotated',
  'TYPE_CHECKING', 'Mapped', 'mapped_column', 'relationship', 'declared_attr', 'foreign', 'remote', 'Field', 'AliasChoices', 'Base', 'Schema', 'WriteSchema', 'NaiveDateTime', 'UtcDateTime', 'Duration', 'Base64', 'limited_bytes', 'unset', 'new_uuid',
  'column', 'OrNull', 'Timestamp', 'TimeSpan', 'BitBoolean', 'TextUuid', 'Inet4', 'Inet6', 'Vector', 'GeoJson', 'EMAIL', 'URI', 'UUID_TEXT', 'DATE_TEXT', 'DATE_TIME_TEXT', 'IPV4_TEXT', 'IPV6_TEXT', 'HOST_NAME',
];
/**
 * Members of Pydantic models and SQLAlchemy classes in any
 * version, so that names do not depend on the version.
 */
const MEMBERS = [
  'construct', 'copy', 'dict', 'from_orm', 'json', 'parse_file', 'parse_obj', 'parse_raw', 'schema', 'schema_json', 'update_forward_refs', 'validate', 'fields', 'Config',
  'model_config', 'model_fields', 'model_computed_fields', 'model_extra', 'model_fields_set', 'model_construct', 'model_copy', 'model_dump', 'model_dump_json', 'model_json_schema', 'model_parametrized_name',
  'model_post_init', 'model_rebuild', 'model_validate', 'model_validate_json', 'model_validate_strings', 'metadata', 'registry', 'type_annotation_map',
];

export const RESERVED_ATTRIBUTES: ReadonlySet<string> = new Set([...KEYWORDS, ...USED, ...MEMBERS]);
/** A module would hide the package attribute of the same name. */
export const RESERVED_MODULES: ReadonlySet<string> = new Set([...KEYWORDS, 'base', 'given', 'to_json', 'make_engine', '_generated']);
/** Class names that start with `Generated` are reserved as well. */
export const RESERVED_CLASSES: readonly string[] = [...KEYWORDS, ...USED, 'BaseModel', 'Object', 'Engine', 'Column', 'Table', 'Exception', 'Error', 'Warning'].filter((word) => /^[A-Z]/.test(word));
