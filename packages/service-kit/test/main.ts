import { runService, serviceEnvironment } from '../src/index.ts';
import { serveWidgets } from './widget-service.ts';

await runService('widgets', serviceEnvironment, serveWidgets);
