import { runService } from '@sluice/service';
import { startSupervisor } from './app.ts';
import { supervisorEnvironment } from './config.ts';

await runService('supervisor', supervisorEnvironment, startSupervisor);
