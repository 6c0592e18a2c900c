"""
Writes and reads rows of every column type with the generated classes. SQLAlchemy writes rows, and a new session and
the data API read them back. The data API writes rows from a Create schema, and SQLAlchemy reads them back.

Arguments: the folder that holds the package `models`, a connection string, the gateway's address, an API key.
Prints one JSON object.
"""

import datetime as dt
import ipaddress
import json
import sys
import urllib.error
import urllib.request
import uuid
from decimal import Decimal, getcontext
from warnings import simplefilter

getcontext().prec = 80
simplefilter("error")
# Debian's packages raise these warnings about each other.
simplefilter("ignore", DeprecationWarning)
folder, url, gateway, key = sys.argv[1:5]
sys.path.insert(0, folder)

import models
import pydantic
import sqlalchemy as sa
from models._generated import base
from sqlalchemy.dialects import mysql
from sqlalchemy.orm import Session, configure_mappers
from sqlalchemy.orm.interfaces import MANYTOONE

POINTS = {
    "point": lambda n: {"type": "Point", "coordinates": [n, 2.5]},
    "linestring": lambda n: {"type": "LineString", "coordinates": [[0, 0], [n, n]]},
    "polygon": lambda n: {"type": "Polygon", "coordinates": [[[0, 0], [n, 0], [n, n], [0, 0]]]},
}


def call(method, path, body=None):
    """Return a response of the data API. Numbers are returned as text, so that no digit is lost."""
    req = urllib.request.Request(
        gateway + path, method=method, data=None if body is None else json.dumps(body).encode(),
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Prefer": "numbers=string"},
    )
    try:
        with urllib.request.urlopen(req) as res:
            return json.loads(res.read() or "null")
    except urllib.error.HTTPError as err:
        raise AssertionError(f"{method} {path} {body}: {err.code} {err.read().decode()[:600]}") from None


def type_of(column):
    return column.type.inner if isinstance(column.type, base.OrNull) else column.type


def sample(column, n):
    """Return a different value of the column's type for each n, including the ends of its range."""
    kind = type_of(column)
    if isinstance(kind, sa.Boolean) or isinstance(kind, base.BitBoolean):
        return n % 2 == 1
    if isinstance(kind, (mysql.TINYINT, mysql.SMALLINT, mysql.MEDIUMINT, mysql.INTEGER, mysql.BIGINT)):
        bits = {"TINYINT": 8, "SMALLINT": 16, "MEDIUMINT": 24, "INTEGER": 32, "BIGINT": 64}[type(kind).__name__]
        return {1: 2 ** (bits if kind.unsigned else bits - 1) - 1, 2: 1 if kind.unsigned else -(2 ** (bits - 1))}.get(n, n)
    if isinstance(kind, mysql.DECIMAL):
        most = Decimal(10) ** kind.precision - 1
        return (most if n == 1 else Decimal(n) if kind.unsigned or n != 2 else -most).scaleb(-kind.scale if n < 3 else 0)
    if isinstance(kind, (mysql.FLOAT, mysql.DOUBLE)):
        return [0.5, 1024.0, 2.25, 3.5, 4.5][n - 1]
    if isinstance(kind, mysql.BIT):
        return 2**kind.length - n
    if isinstance(kind, mysql.ENUM):
        return kind.enums[n % len(kind.enums)]
    if isinstance(kind, mysql.SET):
        return set(list(kind.values)[: n % 3])
    if isinstance(kind, mysql.YEAR):
        return 2000 + n
    if isinstance(kind, (mysql.BINARY, mysql.VARBINARY)):
        return bytes([0, 255, n, 128])[: kind.length] if isinstance(kind, mysql.VARBINARY) else bytes([n, 255] * kind.length)[: kind.length]
    if isinstance(kind, sa.types._Binary):
        return bytes(range(200)) + bytes([n])
    if isinstance(kind, sa.Date):
        return dt.date(2024, 2, 28) + dt.timedelta(days=n)
    if isinstance(kind, base.Timestamp) or isinstance(kind, mysql.DATETIME):
        digits = (kind.impl.fsp if isinstance(kind, base.Timestamp) else kind.fsp) or 0
        moment = dt.datetime(2024, 2, 29, 23, 59, n, 123456 // 10 ** (6 - digits) * 10 ** (6 - digits))
        return moment.replace(tzinfo=dt.timezone.utc) if isinstance(kind, base.Timestamp) else moment
    if isinstance(kind, base.TimeSpan):
        fraction = dt.timedelta(microseconds=120000 if kind.fsp else 0)
        return {1: dt.timedelta(hours=838, minutes=59, seconds=58) + fraction, 2: -dt.timedelta(seconds=1) - fraction}.get(n, dt.timedelta(minutes=n))
    if isinstance(kind, sa.JSON):
        return [{"a": [1, 2.5, None, True, "ü"]}, [], "text", {"n": n}, n][n - 1]
    if isinstance(kind, base.TextUuid):
        return uuid.UUID(int=n * 10**30 + 0x40008000000000000000)
    if isinstance(kind, base.Inet4):
        return ipaddress.IPv4Address(f"192.0.2.{n}")
    if isinstance(kind, base.Inet6):
        return ipaddress.IPv6Address(f"2001:db8::{n}")
    if isinstance(kind, base.Vector):
        return [n + 0.5] * kind.length
    if isinstance(kind, base.GeoJson):
        return POINTS.get(kind.kind, POINTS["point"])(n)
    if isinstance(kind, sa.String):
        return sample_text(column, n)
    raise AssertionError(f"{column} has the type {kind!r}, which this program does not know")


def sample_text(column, n):
    if "email" in column.name.lower():
        return f"some.one{n}@mail.example.com"
    if column.name == "uuid":
        return str(uuid.UUID(int=n * 10**30 + 0x40008000000000000000))
    text = f"{n}ü😀 o'%s"
    return text[: type_of(column).length] if type_of(column).length else text


def is_given(column):
    return not isinstance(column.server_default, sa.FetchedValue) or isinstance(column.server_default, sa.DefaultClause)


def values_of(columns, n, skip=()):
    """Return the values of a row by attribute. In the last row, every nullable attribute is None."""
    return {
        attribute: None if n == 3 and column.nullable else sample(column, n)
        for attribute, column in columns if is_given(column) and not column.autoincrement is True and attribute not in skip
    }


def read(schema, value):
    return schema.model_validate(value) if pydantic.VERSION.startswith("2.") else (schema.from_orm(value) if not isinstance(value, dict) else schema.parse_obj(value))


def try_class(session, mapper, paths):
    cls = mapper.class_
    columns = [(attribute.key, attribute.columns[0]) for attribute in mapper.column_attrs]
    keys = [mapper.get_property_by_column(column).key for column in mapper.primary_key]
    wanted = []
    for n in (1, 2, 3):
        row = cls(**values_of(columns, n))
        session.add(row)
        session.flush()
        wanted.append((tuple(getattr(row, name) for name in keys), values_of(columns, n)))
    session.commit()
    session.expunge_all()
    schema = getattr(models, f"{cls.__name__}Read")
    by_key = {}
    for ident, values in wanted:
        row = session.get(cls, ident)
        assert row is not None, f"{cls.__name__} {ident} is not there"
        for attribute, value in values.items():
            assert getattr(row, attribute) == value, f"{cls.__name__}.{attribute}: wrote {value!r}, read {getattr(row, attribute)!r}"
        by_key[ident] = read(schema, row)
    answers = call("GET", f"{paths[mapper.local_table.name]}?limit=100")
    found = [read(schema, answer) for answer in answers]
    shown = [name for name in keys if name in schema_fields(schema)]
    for ident, record in by_key.items():
        same = [one for one in found if tuple(getattr(one, name) for name in shown) == tuple(getattr(record, name) for name in shown)]
        assert record in same, f"{cls.__name__} {ident}: the row reads {record!r}, the data API's answer {same!r}"
    return len(columns), write_by_api(session, mapper, columns, keys, paths)


def schema_fields(schema):
    return schema.model_fields if pydantic.VERSION.startswith("2.") else schema.__fields__


def write_by_api(session, mapper, columns, keys, paths):
    """Create a record by the data API from a Create schema, read it back as a row, and change it by an Update schema."""
    cls = mapper.class_
    # A foreign key whose names have dots is only a relationship.
    if len(mapper.local_table.foreign_keys) > 0 or any(one.direction is MANYTOONE for one in mapper.relationships):
        return 0
    create = getattr(models, f"{cls.__name__}Create")
    values = values_of(columns, 4)
    body = create(**values)
    assert models.given(body) == values, f"{create.__name__}: {models.given(body)!r} is not {values!r}"
    json_body = models.to_json(body)
    answer = call("POST", paths[mapper.local_table.name], json_body)
    # An application receives JSON and builds the same schema from it.
    assert models.given(create(**json_body)) == values, f"{create.__name__} of {json_body!r}"
    schema = getattr(models, f"{cls.__name__}Read")
    if all(name in schema_fields(schema) for name in keys):
        # Stored values of computed columns are read again: an engine may respond before it has the key that they depend on.
        found = [read(schema, one) for one in call("GET", f"{paths[mapper.local_table.name]}?limit=100")]
        ident = [getattr(read(schema, answer), name) for name in keys]
        [answer] = [one for one in found if [getattr(one, name) for name in keys] == ident]
    record = answer if not isinstance(answer, dict) else read(schema, answer)
    session.expire_all()
    session.rollback()
    row = session.get(cls, tuple(getattr(record, name) for name in keys)) if all(name in schema_fields(type(record)) for name in keys) else None
    if row is not None:
        assert read(type(record), row) == record, f"{cls.__name__}: the data API answered {record!r}, the row reads {row.__dict__!r}"
        update = getattr(models, f"{cls.__name__}Update")
        changes = {name: value for name, value in values_of(columns, 5).items() if name in schema_fields(update)}
        for name, value in models.given(update(**changes)).items():
            setattr(row, name, value)
        session.commit()
        session.refresh(row)
        for name, value in changes.items():
            assert getattr(row, name) == value, f"{cls.__name__}.{name}: changed to {value!r}, read {getattr(row, name)!r}"
    return 1


def try_table(session, name, table):
    columns = [(column.name, column) for column in table.columns]
    rows = [values_of(columns, n) for n in (1, 2)]
    for values in rows:
        session.execute(table.insert().values(values))
    found = [dict(row._mapping) for row in session.execute(table.select())]
    for values in rows:
        assert any(all(row[column] == value for column, value in values.items()) for row in found), f"{name}: {values!r} is not among {found!r}"
    session.commit()
    return len(columns)


def assert_verified(engine):
    """Check that a verified connection fails, because no known authority issued the test server's certificate."""
    try:
        engine.connect()
    except (ConnectionError, sa.exc.OperationalError):
        return
    raise AssertionError("a connection that asks for a verified server took one that is not verified")


def main():
    configure_mappers()
    engine = models.make_engine(url)
    assert_verified(models.make_engine(url + "?ssl-mode=VERIFY_IDENTITY"))
    paths = {table["name"]: table["href"] for table in call("GET", "/v1/-")["tables"]}
    counts = {"classes": 0, "tables": 0, "columns": 0, "by_api": 0, "pydantic": pydantic.VERSION, "sqlalchemy": sa.__version__}
    with Session(engine) as session:
        for mapper in sorted(base.Base.registry.mappers, key=lambda mapper: mapper.class_.__name__):
            session.execute(sa.text("SET foreign_key_checks = 0"))
            columns, by_api = try_class(session, mapper, paths)
            counts["classes"] += 1
            counts["columns"] += columns
            counts["by_api"] += by_api
        for name in models.__all__:
            if isinstance(getattr(models, name), sa.Table) and paths.get(getattr(models, name).name) is not None:
                counts["tables"] += 1
                counts["columns"] += try_table(session, name, getattr(models, name))
    print(json.dumps(counts))


main()
