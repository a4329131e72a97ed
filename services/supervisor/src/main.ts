import { runService } from '@sluice/service-kit';
import { startSupervisor } from './app.ts';
import { supervisorEnvironment } from './configuration.ts';

await runService('supervisor', supervisorEnvironment, startSupervisor);
