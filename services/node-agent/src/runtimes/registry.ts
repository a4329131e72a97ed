import { createNatsRuntime } from './nats/nats-runtime.ts';
import type { RuntimeRegistry } from './runtime.ts';

export const runtimes: RuntimeRegistry = new Map([['nats', createNatsRuntime]]);
