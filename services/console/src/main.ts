import { runService } from '@sluice/service';
import { startConsole } from './app.ts';
import { consoleEnvironment } from './config.ts';

await runService('console', consoleEnvironment, startConsole);
