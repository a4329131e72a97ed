import { runService, serviceEnvironment } from '../src/index.ts';
import { serveThings } from './thing-service.ts';

await runService(
  'things',
  serviceEnvironment,
  async (environment, log) => (await serveThings(environment, log)).service,
);
