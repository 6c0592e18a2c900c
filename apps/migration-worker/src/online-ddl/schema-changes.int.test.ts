import { appendFileSync } from 'node:fs';
import type { AdminConnection } from '@rowhouse/mysql';
import { createTestDatabase, getTestServers } from '@rowhouse/testkit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWorkerDeployer, MODES, type Deployer } from '../testing/schema-changes/deploy-sequences.js';
import { createHttpDeployer, type ProductAddress } from '../testing/schema-changes/http-deployer.js';
import {
  createPlannedDeployer,
  openSessions as openPlannedLane,
} from '../testing/schema-changes/planned-deployer.js';
import {
  dropTables,
  runPlain,
  takeSequence,
  type PlainRun,
  type PlainServer,
  type TakenSequence,
  UNOBSERVED,
  UnsoundError,
} from '../testing/schema-changes/plain-sequence.js';
import { showSequence, shrinkSequence } from '../testing/schema-changes/shrink-sequence.js';
import { isCheckedWhole, trySequences, type Verdict } from '../testing/schema-changes/try-sequences.js';
import { WorkerHarness } from '../testing/worker-harness.js';
