import { runtimes } from '../../../src/runtimes/registry.ts';
import { startAgent } from '../../../src/start.ts';
import { createEchoRuntime } from './echo-runtime.ts';

/** The agent with one runtime more. */
await startAgent(new Map([...runtimes, ['echo', createEchoRuntime]]));
