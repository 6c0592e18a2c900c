import { createTerminalReport } from '@rowhouse/local/report';
import { startOtherEngine, type TestMysql } from '@rowhouse/local/start-test-servers';

export interface OtherServer {
  readonly mysql: TestMysql;
  stop(): Promise<void>;
}

/** Starts another private server of the same engine, for tests that move data between servers. */
export function startOtherServer(like: Pick<TestMysql, 'engine'>): Promise<OtherServer> {
  return startOtherEngine(like.engine, createTerminalReport()) as Promise<OtherServer>;
}
