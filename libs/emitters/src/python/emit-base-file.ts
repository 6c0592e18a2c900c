import { ENGINE_HELPERS, ROW_TYPES, SHARED_HELPERS } from './base-types.js';
import type { PythonOptions } from './python-text.js';
import { emitPatterns } from './text-patterns.js';

const SCHEMAS_2 = `NaiveDateTime = Annotated[dt.datetime, pydantic.AfterValidator(_to_naive_utc)]
"""DATETIME: a time without a time zone. Times with a time zone are converted to UTC."""

UtcDateTime = Annotated[dt.datetime, pydantic.AfterValidator(_to_utc)]
"""TIMESTAMP: a time in UTC."""

Duration = Annotated[
    dt.timedelta,
    pydantic.BeforeValidator(_read_duration),
    pydantic.PlainSerializer(_write_duration, return_type=str, when_used="json"),
    pydantic.WithJsonSchema({"type": "string", "examples": ["12:30:00"]}),
]
"""TIME: a duration, \`[-]HH:MM:SS[.f]\` in JSON."""

Base64 = Annotated[
    bytes,
    pydantic.BeforeValidator(_read_base64),
    pydantic.PlainSerializer(_write_base64, return_type=str, when_used="json"),
    pydantic.WithJsonSchema({"type": "string", "contentEncoding": "base64"}),
]
"""Bytes, Base64 in JSON."""


class Schema(pydantic.BaseModel):
    """A row that is read from the database or from the data API. Columns added after this code was generated are ignored."""

    model_config = pydantic.ConfigDict(from_attributes=True, populate_by_name=True, protected_namespaces=())


class WriteSchema(Schema):
    """The columns of a write. Unknown fields are rejected."""

    model_config = pydantic.ConfigDict(extra="forbid")


def given(values: pydantic.BaseModel) -> dict[str, Any]:
    """Returns the fields that were set, by attribute: \`Post(**given(post))\`. The database fills the others."""
    return {name: getattr(values, name) for name in type(values).model_fields if name in values.model_fields_set}


def to_json(values: pydantic.BaseModel) -> dict[str, Any]:
    """Returns the fields that were set as JSON for the data API, by column name."""
    return values.model_dump(mode="json", by_alias=True, exclude_unset=True)
`;

const SCHEMAS_1 = `class NaiveDateTime(dt.datetime):
    """DATETIME: a time without a time zone. Times with a time zone are converted to UTC."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield parse_datetime
        yield _to_naive_utc

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string", format="date-time")


class UtcDateTime(dt.datetime):
    """TIMESTAMP: a time in UTC."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield parse_datetime
        yield _to_utc

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string", format="date-time")


class Duration(dt.timedelta):
    """TIME: a duration, \`[-]HH:MM:SS[.f]\` in JSON."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield _read_duration
        yield parse_duration

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string")


class Base64(pydantic.ConstrainedBytes):
    """Bytes, Base64 in JSON."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield _read_base64
        yield from super().__get_validators__()


def limited_bytes(most: int) -> Any:
    """Returns a Base64 type with a maximum length in bytes. A length argument of a field would replace the type."""
    return type("Base64", (Base64,), {"max_length": most})


class _Attributes(GetterDict):
    """Ignores \`metadata\` and \`registry\` of SQLAlchemy rows, which are not columns."""

    def get(self, key: Any, default: Any = None) -> Any:
        return default if key in ("metadata", "registry") else super().get(key, default)


class Schema(pydantic.BaseModel):
    """A row that is read from the database or from the data API. Columns added after this code was generated are ignored."""

    class Config:
        orm_mode = True
        getter_dict = _Attributes
        allow_population_by_field_name = True
        json_encoders = {dt.timedelta: _write_duration, bytes: _write_base64}


class WriteSchema(Schema):
    """The columns of a write. Unknown fields are rejected."""

    class Config:
        extra = "forbid"


def given(values: pydantic.BaseModel) -> dict[str, Any]:
    """Returns the fields that were set, by attribute: \`Post(**given(post))\`. The database fills the others."""
    return {name: getattr(values, name) for name in values.__fields__ if name in values.__fields_set__}


def to_json(values: pydantic.BaseModel) -> Any:
    """Returns the fields that were set as JSON for the data API, by column name."""
    return json.loads(values.json(by_alias=True, exclude_unset=True))
`;

const BASE_2 = `class Base(DeclarativeBase):
    """The base class of all rows. \`Base.metadata\` contains every table."""
`;
const BASE_1 = `Base: Any = declarative_base()
"""The base class of all rows. \`Base.metadata\` contains every table."""
`;

/** Emits the module that all other modules import. It is the same for every schema. */
export function emitBaseFile({ pydantic, sqlalchemy }: PythonOptions): string {
  const isNew = sqlalchemy === '2.0';
  const imports = [
    'import base64',
    'import datetime as dt',
    'import ipaddress',
    'import json',
    'import re',
    'import ssl',
    'import struct',
    'import uuid',
    `from typing import ${pydantic === '2' ? 'Annotated, Any' : 'Any'}`,
    'from urllib.parse import parse_qsl, urlencode',
    '',
    'import pydantic',
    'import sqlalchemy as sa',
    ...(pydantic === '1'
      ? [
          'from pydantic.datetime_parse import parse_datetime, parse_duration',
          'from pydantic.utils import GetterDict',
        ]
      : []),
    'from sqlalchemy.dialects import mysql',
    `from sqlalchemy.orm import ${isNew ? 'DeclarativeBase' : 'declarative_base'}`,
    'from sqlalchemy.types import TypeDecorator, UserDefinedType',
    '',
  ].join('\n');
  const types = isNew
    ? ROW_TYPES
    : ROW_TYPES.replaceAll(/\((TypeDecorator|UserDefinedType)\[[\w.]+\]\)/g, '($1)');
  const sections = [
    isNew ? BASE_2 : BASE_1,
    ENGINE_HELPERS,
    emitPatterns(pydantic),
    SHARED_HELPERS,
    pydantic === '2' ? SCHEMAS_2 : SCHEMAS_1,
    types,
  ];
  return `${imports}\n${emitVersionCheck({ pydantic, sqlalchemy })}\n\n${sections.join('\n\n')}`;
}

/** Emits a check of the installed versions, so that a wrong version causes a clear error message. */
function emitVersionCheck({ pydantic, sqlalchemy }: Pick<PythonOptions, 'pydantic' | 'sqlalchemy'>): string {
  const other = pydantic === '2' ? '1' : '2';
  const isNew = sqlalchemy === '2.0';
  return [
    `if not pydantic.VERSION.startswith("${pydantic}."):`,
    `    raise ImportError(f"These models require Pydantic ${pydantic}, but {pydantic.VERSION} is installed. Install pydantic ${pydantic}, or generate them with --pydantic ${other}.")`,
    `if ${isNew ? '' : 'not '}sa.__version__.startswith("1.${isNew ? '' : '4.'}"):`,
    `    raise ImportError(f"These models require SQLAlchemy ${isNew ? '2.0 or later' : '1.4'}, but {sa.__version__} is installed. Install ${isNew ? 'sqlalchemy 2' : 'sqlalchemy 1.4'}, or generate them with --sqlalchemy ${isNew ? '1.4' : '2.0'}.")`,
    '',
  ].join('\n');
}
