import { createNatsRuntime } from './nats/nats-runtime.ts';
import type { RuntimeRegistry } from './runtime.ts';

/** All runtimes of this agent. */
export const runtimes: RuntimeRegistry = new Map([['nats', createNatsRuntime]]);
