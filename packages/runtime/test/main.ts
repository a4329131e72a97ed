import { runService, serviceEnvironment } from '@sluice/service';
import { serveWidgets } from './widget-service.ts';

await runService('widgets', serviceEnvironment, serveWidgets);
