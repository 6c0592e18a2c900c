/** The column types of a typical business application. */
export const BUSINESS_TYPES = [
  'int(11)',
  'decimal(10,2)',
  'varchar(120)',
  'text',
  'datetime',
  'timestamp',
  'tinyint(1)',
  "enum('new','paid','sent')",
  'json',
  'date',
];
