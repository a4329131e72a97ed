import { enableCompileCache, flushCompileCache } from 'node:module';
import { join } from 'node:path';

// A deployment's first message waits for its agents to start. Stripping types and compiling is half of that time, so
// the result is kept: in the repository's own folder, since what lies there runs as code. Node.js would write it at
// the end of the process, which for an agent is too late.
enableCompileCache(join(import.meta.dirname, '../../../.cache/compiled'));
setTimeout(flushCompileCache, 3_000).unref();
const { startAgent } = await import('./start.ts');
const { runtimes } = await import('./runtimes/registry.ts');
await startAgent(runtimes);
