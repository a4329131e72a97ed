import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// as in the agent's main.ts: a deployment's first message waits for this program too
enableCompileCache(join(import.meta.dirname, '../../../../.cache/compiled'));
setTimeout(flushCompileCache, 3_000).unref();
const { runGateway } = await import('./run.ts');
await runGateway();
