import { runService } from '@sluice/service-kit';
import { startMainApi } from './app.ts';
import { mainApiEnvironment } from './config.ts';

await runService('main-api', mainApiEnvironment, startMainApi);
