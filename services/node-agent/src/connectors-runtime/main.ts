import { flushCompileCache } from 'node:module';
import { runConnectors } from './run.ts';

// at the end of the process, when Node.js would write it, is too late
setTimeout(flushCompileCache, 3_000).unref();
await runConnectors();
