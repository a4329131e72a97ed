import { readConfigValues } from '@sluice/contracts/config-values';
import {
  ConfigRefused,
  readConnectorValues,
  type ConnectorPlugin,
  type ConnectorValues,
  type PluginConfig,
} from '@sluice/connectors';
import type { WantedInstance } from './protocol.ts';

export interface InstanceConfig extends ConnectorValues {
  plugin: ConnectorPlugin;
  plugin_config: PluginConfig;
}

/** @throws ConfigRefused with all that is wrong, keys and rules alone: values may be secrets */
export function readInstanceConfig(
  { type, connector_key, config }: WantedInstance,
  plugins: readonly ConnectorPlugin[],
): InstanceConfig | null {
  const plugin = plugins.find((one) => one.type === type && one.key === connector_key);
  if (!plugin) throw new ConfigRefused(`this node does not have the ${type} ${connector_key}`);
  if (config === null) return null;
  const { values, issues } = readConnectorValues(type, config.values);
  const given = config.values['plugin_config'] ?? {};
  if (typeof given !== 'object' || Array.isArray(given))
    throw new ConfigRefused('plugin_config has to be an object');
  const read = readConfigValues(plugin.schema, given as Record<string, unknown>);
  const wrong = [...issues, ...read.issues.map((issue) => ({ ...issue, key: `plugin_config.${issue.key}` }))];
  if (wrong.length > 0)
    throw new ConfigRefused(wrong.map(({ key, message }) => `${key} ${message}`).join('; '));
  return { ...values, plugin, plugin_config: read.values };
}
