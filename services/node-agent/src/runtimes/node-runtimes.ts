import { ConfigError } from '@sluice/system';
import { ConfigurationRefused } from './runtime.ts';
import type { BrokerRuntime, RuntimeContext, RuntimeRegistry } from './runtime.ts';

export interface NodeRuntimes {
  /** @throws ConfigurationRefused when this agent has no such runtime, or its environment is not one for it */
  get: (name: string) => BrokerRuntime;
  /** The same, undefined instead of an error. */
  find: (name: string) => BrokerRuntime | undefined;
  /** The name of a deployment's runtime: the only one of the agent where the deployment names none. */
  nameOf: (name: string) => string;
}

export function nodeRuntimes(registry: RuntimeRegistry, context: RuntimeContext): NodeRuntimes {
  const made = new Map<string, BrokerRuntime>();
  const get = (name: string) => {
    const runtime = made.get(name) ?? make(registry, context, name);
    made.set(name, runtime);
    return runtime;
  };
  const [only = '', ...others] = registry.keys();
  return {
    get,
    nameOf: (name) => (name === '' && others.length === 0 ? only : name),
    find: (name) => {
      try {
        return get(name);
      } catch (error) {
        if (error instanceof ConfigurationRefused) return undefined;
        throw error;
      }
    },
  };
}

function make(registry: RuntimeRegistry, context: RuntimeContext, name: string): BrokerRuntime {
  const create = registry.get(name);
  if (create === undefined) throw new ConfigurationRefused(`this agent does not know the runtime "${name}"`);
  try {
    return create(context);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigurationRefused(error.message);
    throw error;
  }
}
