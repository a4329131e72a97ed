import { runService } from '@sluice/service';
import { startNotifier } from './app.ts';
import { notifierEnvironment } from './config.ts';

await runService('notifier', notifierEnvironment, startNotifier);
