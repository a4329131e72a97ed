import { runService, serviceEnvironment } from '@sluice/service-kit';
import { startAudit } from './app.ts';

await runService('audit', serviceEnvironment, startAudit);
