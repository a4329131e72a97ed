import type { Monitoring } from './monitoring.ts';

/** What checks need of a nats-server. */
export interface NatsUnderTest {
  program: string;
  store: string;
  logFile: string;
  pages: Monitoring;
}
