import { runService } from '@sluice/service';
import { startMainApi } from './app.ts';
import { mainApiEnvironment } from './config.ts';

await runService('main-api', mainApiEnvironment, startMainApi);
