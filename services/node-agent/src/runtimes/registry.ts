import { createNatsRuntime } from './nats/nats-runtime.ts';
import type { RuntimeRegistry } from './runtime.ts';

/** All runtimes of this agent: a new one is a folder beside `nats/` and an entry here. */
export const runtimes: RuntimeRegistry = new Map([['nats', createNatsRuntime]]);
