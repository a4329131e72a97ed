import { flushCompileCache } from 'node:module';
import { Gateway } from './gateway.ts';
import { runGateway } from './run.ts';

// at the end of the process, when Node.js would write it, is too late
setTimeout(flushCompileCache, 3_000).unref();
await runGateway((events) => new Gateway(events));
