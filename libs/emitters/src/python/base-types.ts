/**
 * Python source for both versions of SQLAlchemy. It defines types of MySQL and MariaDB that SQLAlchemy lacks
 * or reads in another way.
 */
export const ROW_TYPES = `class OrNull(TypeDecorator[Any]):
    """The type of a nullable column with a default. None is written as NULL, while SQLAlchemy would omit the column."""

    impl = sa.String
    cache_ok = True
    should_evaluate_none = True

    def __init__(self, inner: Any) -> None:
        super().__init__()
        self.inner = inner
        self.impl = inner

    def coerce_compared_value(self, op: Any, value: Any) -> Any:
        return self.inner.coerce_compared_value(op, value)


class Timestamp(TypeDecorator[dt.datetime]):
    """TIMESTAMP: a time in UTC. The engine of \`make_engine\` sets the time zone of the session."""

    impl = mysql.TIMESTAMP
    cache_ok = True

    def __init__(self, fsp: int | None = None) -> None:
        super().__init__(fsp=fsp)

    def process_bind_param(self, value: Any, dialect: Any) -> Any:
        return _to_utc(value).replace(tzinfo=None) if isinstance(value, dt.datetime) else value

    def process_result_value(self, value: Any, dialect: Any) -> Any:
        return value.replace(tzinfo=dt.timezone.utc) if isinstance(value, dt.datetime) else value


class BitBoolean(TypeDecorator[bool]):
    """BIT(1)."""

    impl = mysql.BIT
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Any) -> Any:
        return None if value is None else int(value)

    def process_result_value(self, value: Any, dialect: Any) -> Any:
        return None if value is None else bool(value)


class _TextType(UserDefinedType[Any]):
    """A type that is sent to and from the server as text."""

    cache_ok = True
    name = "TEXT"

    def get_col_spec(self, **kw: Any) -> str:
        return self.name

    def bind_processor(self, dialect: Any) -> Any:
        return lambda value: None if value is None else self.write(value)

    def result_processor(self, dialect: Any, coltype: Any) -> Any:
        return lambda value: None if value is None else self.read(value)

    def write(self, value: Any) -> Any:
        return str(value)

    def read(self, value: Any) -> Any:
        return value


class TimeSpan(_TextType):
    """TIME: a positive or negative duration of up to 838 hours."""

    def __init__(self, fsp: int = 0) -> None:
        self.fsp = fsp

    def get_col_spec(self, **kw: Any) -> str:
        return f"TIME({self.fsp})"

    def write(self, value: Any) -> Any:
        return _write_duration(value) if isinstance(value, dt.timedelta) else value

    def read(self, value: Any) -> Any:
        return _read_duration(value)


class TextUuid(_TextType):
    """The UUID type of MariaDB."""

    name = "UUID"

    def read(self, value: Any) -> Any:
        return value if isinstance(value, uuid.UUID) else uuid.UUID(str(value))


class Inet4(_TextType):
    """The INET4 type of MariaDB."""

    name = "INET4"

    def read(self, value: Any) -> Any:
        return ipaddress.IPv4Address(value)


class Inet6(_TextType):
    """The INET6 type of MariaDB."""

    name = "INET6"

    def read(self, value: Any) -> Any:
        return ipaddress.IPv6Address(value)


class Vector(_TextType):
    """VECTOR: a list of 32-bit floating-point numbers."""

    def __init__(self, length: int = 0) -> None:
        self.length = length

    def get_col_spec(self, **kw: Any) -> str:
        return f"VECTOR({self.length})"

    def write(self, value: Any) -> Any:
        return struct.pack(f"<{len(value)}f", *value).hex()

    def read(self, value: Any) -> Any:
        return list(struct.unpack(f"<{len(value) // 8}f", bytes.fromhex(value)))

    # Drivers treat VECTOR values of MySQL as text in both directions.
    def bind_expression(self, bindvalue: Any) -> Any:
        return sa.func.UNHEX(bindvalue, type_=self)

    def column_expression(self, colexpr: Any) -> Any:
        return sa.func.HEX(colexpr, type_=self)


class GeoJson(_TextType):
    """GEOMETRY and its subtypes, as GeoJSON."""

    def __init__(self, kind: str = "geometry", srid: int = 0) -> None:
        self.kind = kind
        self.srid = srid

    def get_col_spec(self, **kw: Any) -> str:
        return self.kind.upper()

    def write(self, value: Any) -> Any:
        return json.dumps(value)

    def read(self, value: Any) -> Any:
        return json.loads(value)

    def bind_expression(self, bindvalue: Any) -> Any:
        return sa.func.ST_GeomFromGeoJSON(bindvalue, 1, self.srid, type_=self) if self.srid else sa.func.ST_GeomFromGeoJSON(bindvalue, type_=self)

    def column_expression(self, colexpr: Any) -> Any:
        return sa.func.ST_AsGeoJSON(colexpr, type_=self)
`;

/** Python source of helper functions that the SQLAlchemy and the Pydantic classes use. */
export const SHARED_HELPERS = `_DURATION = re.compile(r"(-?)(\\d{1,3}):([0-5]?\\d):([0-5]?\\d)(?:\\.(\\d{1,6}))?")


def _read_duration(value: Any) -> Any:
    """Parses a duration \`[-]HHH:MM:SS[.f]\`. Other values than text are returned unchanged."""
    if not isinstance(value, str):
        return value
    found = _DURATION.fullmatch(value)
    if found is None:
        raise ValueError("a duration must have the format [-]HH:MM:SS[.f]")
    sign, hours, minutes, seconds, fraction = found.groups()
    span = dt.timedelta(hours=int(hours), minutes=int(minutes), seconds=int(seconds), microseconds=int((fraction or "0").ljust(6, "0")))
    return -span if sign else span


def _write_duration(value: dt.timedelta) -> str:
    total = abs(value) // dt.timedelta(microseconds=1)
    seconds, fraction = divmod(total, 1_000_000)
    text = f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}"
    return ("-" if value < dt.timedelta(0) else "") + text + (f".{fraction:06d}" if fraction else "")


def _to_utc(value: dt.datetime) -> dt.datetime:
    """Converts a time to UTC. A time without a time zone is already in UTC."""
    return value.replace(tzinfo=dt.timezone.utc) if value.tzinfo is None else value.astimezone(dt.timezone.utc)


def _to_naive_utc(value: dt.datetime) -> dt.datetime:
    return value if value.tzinfo is None else value.astimezone(dt.timezone.utc).replace(tzinfo=None)


def _read_base64(value: Any) -> Any:
    return base64.b64decode(value, validate=True) if isinstance(value, str) else value


def _write_base64(value: bytes) -> str:
    return base64.b64encode(value).decode("ascii")


def unset() -> Any:
    """The default of a field whose value the database provides."""
    return None


def new_uuid() -> str:
    return str(uuid.uuid4())
`;

export const ENGINE_HELPERS = `def column(table: str, name: str) -> Any:
    """Returns a column by its names in the database."""
    return Base.metadata.tables[table].c[name]


def _split_tls(query: str) -> tuple[str, Any]:
    """Removes the TLS parameters of MySQL clients from a query string, and converts them for PyMySQL."""
    rest = dict(parse_qsl(query, keep_blank_values=True))
    mode, ca = rest.pop("ssl-mode", "").upper(), rest.pop("ssl-ca", None)
    if rest.get("ssl") == "true":
        del rest["ssl"]
        mode = mode or "REQUIRED"
    if mode not in ("REQUIRED", "VERIFY_CA", "VERIFY_IDENTITY"):
        return urlencode(rest), None
    context = ssl.create_default_context(cafile=ca)
    context.check_hostname = mode == "VERIFY_IDENTITY"
    if mode == "REQUIRED":
        context.verify_mode = ssl.CERT_NONE
    return urlencode(rest), context


def _refuse_clear(connection: Any, _record: Any) -> None:
    """Closes unencrypted connections, since PyMySQL continues without TLS if the server does not support it."""
    if not getattr(connection, "_secure", True):
        connection.close()
        raise ConnectionError("The connection string requires TLS, but the server does not support it.")


def make_engine(url: str, **options: Any) -> sa.engine.Engine:
    """
    Creates an engine for a connection string, \`mysql://user:password@host:port/database\`. \`ssl-mode\` and \`ssl-ca\`
    configure TLS. The session time zone is UTC, as in the data API. The driver is PyMySQL unless the URL names another.
    """
    plain, _, query = url.partition("?")
    settings, tls = dict(options.pop("connect_args", {})), None
    if plain.startswith("mysql://"):
        plain = "mysql+pymysql://" + plain[len("mysql://"):]
        settings.setdefault("init_command", "SET time_zone = '+00:00'")
        query, tls = _split_tls(query)
        if tls is not None:
            settings.setdefault("ssl", tls)
    engine = sa.create_engine(plain + ("?" + query if query else ""), connect_args=settings, pool_pre_ping=options.pop("pool_pre_ping", True), **options)
    if tls is not None:
        sa.event.listen(engine, "connect", _refuse_clear)
    return engine
`;
