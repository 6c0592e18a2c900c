import { BudgetKeys1700000000098 } from './migrations/1700000000098-budget-keys.js';
import { CreateAuditPending1700000000270 } from './migrations/1700000000270-create-audit-pending.js';
import { CreateCellTables1700000000002 } from './migrations/1700000000002-create-cell-tables.js';
import { CountKeyUse1700000000020 } from './migrations/1700000000020-count-key-use.js';
import { DedicateServers1700000000142 } from './migrations/1700000000142-dedicate-servers.js';
import { AdminPorts1700000000144 } from './migrations/1700000000144-admin-ports.js';
import { NoteLoads1700000000245 } from './migrations/1700000000245-note-loads.js';
import { DirectTls1700000000095 } from './migrations/1700000000095-direct-tls.js';
import { FillShareLinks1700000000061 } from './migrations/1700000000061-fill-share-links.js';
import { HealAccounts1700000000141 } from './migrations/1700000000141-heal-accounts.js';
import { KeepDroppedObjects1700000000003 } from './migrations/1700000000003-keep-dropped-objects.js';
import { KeepProjectModels1700000000080 } from './migrations/1700000000080-keep-project-models.js';
import { KeepQuestions1700000000050 } from './migrations/1700000000050-keep-questions.js';
import { LeasePurges1700000000110 } from './migrations/1700000000110-lease-purges.js';
import { LogShapes1700000000082 } from './migrations/1700000000082-log-shapes.js';
import { MoveDatabases1700000000092 } from './migrations/1700000000092-move-databases.js';
import { NoteMissingDatabases1700000000091 } from './migrations/1700000000091-note-missing-databases.js';
import { NoteMakers1700000000113 } from './migrations/1700000000113-note-makers.js';
import { NoteKnowers1700000000247 } from './migrations/1700000000247-note-knowers.js';
import { PauseRequests1700000000143 } from './migrations/1700000000143-pause-requests.js';
import { NoteRenames1700000000261 } from './migrations/1700000000261-note-renames.js';
import { PlansAndStorage1700000000070 } from './migrations/1700000000070-plans-and-storage.js';
import { ReadQuestions1700000000040 } from './migrations/1700000000040-read-questions.js';
import { RestoreRevisions1700000000090 } from './migrations/1700000000090-restore-revisions.js';
import { RotateAndWarmUp1700000000010 } from './migrations/1700000000010-rotate-and-warm-up.js';
import { ServerNodes1700000000097 } from './migrations/1700000000097-server-nodes.js';
import { ServerStorage1700000000083 } from './migrations/1700000000083-server-storage.js';
import { ShareServers1700000000140 } from './migrations/1700000000140-share-servers.js';
import { ShareWorkers1700000000112 } from './migrations/1700000000112-share-workers.js';
import { TellOfFailures1700000000081 } from './migrations/1700000000081-tell-of-failures.js';
import { TransferData1700000000060 } from './migrations/1700000000060-transfer-data.js';

/** The migrations of a cell's tables in order. */
export const CELL_MIGRATIONS = [
  CreateCellTables1700000000002,
  KeepDroppedObjects1700000000003,
  RotateAndWarmUp1700000000010,
  CountKeyUse1700000000020,
  ReadQuestions1700000000040,
  KeepQuestions1700000000050,
  TransferData1700000000060,
  FillShareLinks1700000000061,
  PlansAndStorage1700000000070,
  KeepProjectModels1700000000080,
  TellOfFailures1700000000081,
  LogShapes1700000000082,
  RestoreRevisions1700000000090,
  NoteMissingDatabases1700000000091,
  ServerStorage1700000000083,
  DirectTls1700000000095,
  MoveDatabases1700000000092,
  ServerNodes1700000000097,
  BudgetKeys1700000000098,
  LeasePurges1700000000110,
  ShareWorkers1700000000112,
  NoteMakers1700000000113,
  ShareServers1700000000140,
  HealAccounts1700000000141,
  DedicateServers1700000000142,
  PauseRequests1700000000143,
  AdminPorts1700000000144,
  NoteLoads1700000000245,
  NoteKnowers1700000000247,
  NoteRenames1700000000261,
  CreateAuditPending1700000000270,
];
