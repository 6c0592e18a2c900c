import { ENGINE_HELPERS, ROW_TYPES, SHARED_HELPERS } from './base-types.js';
import type { PythonOptions } from './python-options.js';
import { emitPatterns } from './text-patterns.js';

const SCHEMAS_2 = `NaiveDateTime = Annotated[dt.datetime, pydantic.AfterValidator(_to_naive_utc)]
"""DATETIME: no zone; a time with one is converted to UTC."""

UtcDateTime = Annotated[dt.datetime, pydantic.AfterValidator(_to_utc)]
"""TIMESTAMP: a moment, in UTC."""

Duration = Annotated[
    dt.timedelta,
    pydantic.BeforeValidator(_read_duration),
    pydantic.PlainSerializer(_write_duration, return_type=str, when_used="json"),
    pydantic.WithJsonSchema({"type": "string", "examples": ["12:30:00"]}),
]
"""TIME: a length of time; \`[-]HH:MM:SS[.f]\` in JSON."""

Base64 = Annotated[
    bytes,
    pydantic.BeforeValidator(_read_base64),
    pydantic.PlainSerializer(_write_base64, return_type=str, when_used="json"),
    pydantic.WithJsonSchema({"type": "string", "contentEncoding": "base64"}),
]
"""Bytes; base64 in JSON."""


class Schema(pydantic.BaseModel):
    """What is read: from rows, and from the answers of the data API. Columns that are newer than this code are left out."""

    model_config = pydantic.ConfigDict(from_attributes=True, populate_by_name=True, protected_namespaces=())


class WriteSchema(Schema):
    """What is written. A field that no column has is refused."""

    model_config = pydantic.ConfigDict(extra="forbid")


def given(values: pydantic.BaseModel) -> dict[str, Any]:
    """The fields that were set, by attribute: \`Post(**given(post))\`. The database fills the others."""
    return {name: getattr(values, name) for name in type(values).model_fields if name in values.model_fields_set}


def to_json(values: pydantic.BaseModel) -> dict[str, Any]:
    """The fields that were set as the data API takes them, by the names of their columns."""
    return values.model_dump(mode="json", by_alias=True, exclude_unset=True)
`;

const SCHEMAS_1 = `class NaiveDateTime(dt.datetime):
    """DATETIME: no zone; a time with one is converted to UTC."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield parse_datetime
        yield _to_naive_utc

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string", format="date-time")


class UtcDateTime(dt.datetime):
    """TIMESTAMP: a moment, in UTC."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield parse_datetime
        yield _to_utc

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string", format="date-time")


class Duration(dt.timedelta):
    """TIME: a length of time; \`[-]HH:MM:SS[.f]\` in JSON."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield _read_duration
        yield parse_duration

    @classmethod
    def __modify_schema__(cls, field_schema: dict[str, Any]) -> None:
        field_schema.update(type="string")


class Base64(pydantic.ConstrainedBytes):
    """Bytes; base64 in JSON."""

    @classmethod
    def __get_validators__(cls) -> Any:
        yield _read_base64
        yield from super().__get_validators__()


def limited_bytes(most: int) -> Any:
    """Base64 of at most so many bytes. A length given to a field would put another type in the place of this one."""
    return type("Base64", (Base64,), {"max_length": most})


class _Attributes(GetterDict):
    """Rows of SQLAlchemy have \`metadata\` and \`registry\` of their own, which are no columns."""

    def get(self, key: Any, default: Any = None) -> Any:
        return default if key in ("metadata", "registry") else super().get(key, default)


class Schema(pydantic.BaseModel):
    """What is read: from rows, and from the answers of the data API. Columns that are newer than this code are left out."""

    class Config:
        orm_mode = True
        getter_dict = _Attributes
        allow_population_by_field_name = True
        json_encoders = {dt.timedelta: _write_duration, bytes: _write_base64}


class WriteSchema(Schema):
    """What is written. A field that no column has is refused."""

    class Config:
        extra = "forbid"


def given(values: pydantic.BaseModel) -> dict[str, Any]:
    """The fields that were set, by attribute: \`Post(**given(post))\`. The database fills the others."""
    return {name: getattr(values, name) for name in values.__fields__ if name in values.__fields_set__}


def to_json(values: pydantic.BaseModel) -> Any:
    """The fields that were set as the data API takes them, by the names of their columns."""
    return json.loads(values.json(by_alias=True, exclude_unset=True))
`;

const BASE_2 = `class Base(DeclarativeBase):
    """What all rows have in common; \`Base.metadata\` knows every table."""
`;
const BASE_1 = `Base: Any = declarative_base()
"""What all rows have in common; \`Base.metadata\` knows every table."""
`;

/** The module that all others lean on: the same for every schema. */
export function emitBaseFile({ pydantic, sqlalchemy }: PythonOptions): string {
  const isNew = sqlalchemy === '2.0';
  const imports = [
    'import base64', 'import datetime as dt', 'import ipaddress', 'import json', 'import re', 'import ssl', 'import struct', 'import uuid',
    `from typing import ${pydantic === '2' ? 'Annotated, Any' : 'Any'}`, 'from urllib.parse import parse_qsl, urlencode', '',
    'import pydantic', 'import sqlalchemy as sa',
    ...(pydantic === '1' ? ['from pydantic.datetime_parse import parse_datetime, parse_duration', 'from pydantic.utils import GetterDict'] : []),
    'from sqlalchemy.dialects import mysql', `from sqlalchemy.orm import ${isNew ? 'DeclarativeBase' : 'declarative_base'}`, 'from sqlalchemy.types import TypeDecorator, UserDefinedType', '',
  ].join('\n');
  const types = isNew ? ROW_TYPES : ROW_TYPES.replaceAll(/\((TypeDecorator|UserDefinedType)\[[\w.]+\]\)/g, '($1)');
  const sections = [isNew ? BASE_2 : BASE_1, ENGINE_HELPERS, emitPatterns(pydantic), SHARED_HELPERS, pydantic === '2' ? SCHEMAS_2 : SCHEMAS_1, types];
  return `${imports}\n${emitVersionCheck({ pydantic, sqlalchemy })}\n\n${sections.join('\n\n')}`;
}

/** Said at once, instead of the first thing that the wrong version falls over. */
function emitVersionCheck({ pydantic, sqlalchemy }: Pick<PythonOptions, 'pydantic' | 'sqlalchemy'>): string {
  const other = pydantic === '2' ? '1' : '2';
  const isNew = sqlalchemy === '2.0';
  return [
    `if not pydantic.VERSION.startswith("${pydantic}."):`,
    `    raise ImportError(f"These models are for Pydantic ${pydantic}, and {pydantic.VERSION} is installed: install pydantic ${pydantic}, or make them anew with --pydantic ${other}.")`,
    `if ${isNew ? '' : 'not '}sa.__version__.startswith("1.${isNew ? '' : '4.'}"):`,
    `    raise ImportError(f"These models are for SQLAlchemy ${isNew ? '2.0 and later' : '1.4'}, and {sa.__version__} is installed: install ${isNew ? 'sqlalchemy 2' : 'sqlalchemy 1.4'}, or make them anew with --sqlalchemy ${isNew ? '1.4' : '2.0'}.")`,
    '',
  ].join('\n');
}
