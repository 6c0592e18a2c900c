import type { Rights } from '@rowhouse/schema-model';

/** The target versions. Debian 12 has Pydantic 1.10 and SQLAlchemy 1.4. */
export interface PythonOptions {
  readonly pydantic: '1' | '2';
  readonly sqlalchemy: '1.4' | '2.0';
  /** The columns by table that the data API never returns. Rows include them, but read schemas do not. */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** The TINYINT(1) columns by table that the data API treats as numbers. */
  readonly numberColumns?: Rights['numberColumns'];
}
