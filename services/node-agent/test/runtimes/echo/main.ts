import { runtimes } from '../../../src/runtimes/registry.ts';
import { startAgent } from '../../../src/start.ts';
import { createEchoRuntime } from './echo-runtime.ts';

await startAgent(new Map([...runtimes, ['echo', createEchoRuntime]]));
