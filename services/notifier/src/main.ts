import { runService } from '@sluice/service-kit';
import { startNotifier } from './app.ts';
import { notifierEnvironment } from './config.ts';

await runService('notifier', notifierEnvironment, startNotifier);
