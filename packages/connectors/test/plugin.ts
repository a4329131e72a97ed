import { randomUUID } from 'node:crypto';
import { ownBlocks, testFolder } from '@sluice/testing';
import type { ConfigValue } from '@sluice/contracts';
import { readConfigValues } from '@sluice/contracts/config-values';
import { connectorDestinations as destinations } from '../src/destination-guard.ts';
import type { ConnectorPlugin, PluginConfig, PluginContext } from '../src/plugin.ts';

export { aMessage } from './message.ts';

/** The servers of tests are on this machine, which connectors do not reach otherwise. */
const onThisMachine = destinations({ allowed: ownBlocks(), refused: [] });

/** `values` as a plugin gets them. @throws Error for those that its schema does not permit */
export function configOf(plugin: ConnectorPlugin, given: Record<string, ConfigValue>): PluginConfig {
  const { values, issues } = readConfigValues(plugin.schema, given);
  if (issues.length > 0) throw new Error(issues.map(({ key, message }) => `${key} ${message}`).join(', '));
  return values;
}

export interface TestContext extends PluginContext {
  told: string[];
}

export async function testContext(more: Partial<PluginContext> = {}): Promise<TestContext> {
  const told: string[] = [];
  return {
    instanceKey: `instance-${randomUUID().slice(0, 8)}`,
    folder: await testFolder(),
    destinations: onThisMachine,
    log: (level, message, fields) => told.push(`${level} ${message} ${JSON.stringify(fields ?? {})}`),
    stopping: new AbortController().signal,
    ...more,
    told,
  };
}

export const unending = () => new AbortController().signal;
