import type { Monitoring } from './monitoring.ts';

export interface NatsUnderTest {
  program: string;
  store: string;
  logFile: string;
  pages: Monitoring;
}
