import type { Rights } from '@rowhouse/schema-model';

/** The versions that the code is for. Debian 12 has Pydantic 1.10 and SQLAlchemy 1.4. */
export interface PythonOptions {
  readonly pydantic: '1' | '2';
  readonly sqlalchemy: '1.4' | '2.0';
  /** Columns that the data API never shows, by table: rows have them, what is read does not. */
  readonly hiddenColumns: Rights['hiddenColumns'];
  /** TINYINT(1) columns that the data API treats as numbers, by table. */
  readonly numberColumns?: Rights['numberColumns'];
}
