import { runService } from '@sluice/service-kit';
import { startSupervisor } from './app.ts';
import { supervisorEnvironment } from './config.ts';

await runService('supervisor', supervisorEnvironment, startSupervisor);
