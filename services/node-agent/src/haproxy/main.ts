import { flushCompileCache } from 'node:module';
import { runGateway } from '../gateway/run.ts';
import { HaproxyGateway } from './haproxy-gateway.ts';

// at the end of the process, when Node.js would write it, is too late
setTimeout(flushCompileCache, 3_000).unref();
await runGateway((events, folder) => new HaproxyGateway(events, folder));
