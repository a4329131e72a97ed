import { runService } from '@sluice/service';
import { startAudit } from './app.ts';
import { auditEnvironment } from './config.ts';

await runService('audit', auditEnvironment, startAudit);
