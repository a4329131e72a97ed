import { runService, signingServiceEnvironment } from '@sluice/service';
import { serveWidgets } from './widget-service.ts';

await runService('widgets', signingServiceEnvironment, serveWidgets);
