import { runService, serviceEnvironment } from '../src/index.ts';
import { serveWidgets } from './widget-service.ts';

await runService(
  'widgets',
  serviceEnvironment,
  async (environment, log) => (await serveWidgets(environment, log)).service,
);
