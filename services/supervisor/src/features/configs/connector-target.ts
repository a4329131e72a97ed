import { baseSection, findPlugin, readConnectorValues } from '@sluice/connectors';
import { pointer, type ConnectorInstanceId, type ConnectorType } from '@sluice/contracts';
import { readConfigValues } from '@sluice/contracts/config-values';
import { isObject, type ConfigTarget } from './config-targets.ts';

/** A connector, by the schema of its plugin. @param instanceId the instance that it is of; null for the schema alone */
export function connectorTarget(
  kind: string,
  type: ConnectorType,
  connectorKey: string,
  instanceId: ConnectorInstanceId | null,
): ConfigTarget {
  const plugin = findPlugin(type, connectorKey);
  const entries = plugin?.schema ?? [];
  const plugin_config = { name: 'Plugin', description: 'What is its own', schema: entries };
  return {
    ...{ kind, runtime: 'connectors', instanceId, block: 'plugin_config', entries },
    schema: () => ({ [type]: baseSection(type), plugin_config }),
    check({ plugin_config: given = {}, ...values }) {
      if (!plugin) {
        const message = `cannot be checked: this release does not have the ${type} ${connectorKey}`;
        return [{ path: '', code: 'not_available', message }];
      }
      const base = readConnectorValues(type, values).issues.map(({ key, ...issue }) => ({
        path: pointer(...namesOf(key)),
        ...issue,
      }));
      if (!isObject(given))
        return [...base, { path: '/plugin_config', code: 'wrong_type', message: 'has to be an object' }];
      const own = readConfigValues(entries, given).issues.map(({ key, ...issue }) => ({
        path: pointer('plugin_config', key),
        ...issue,
      }));
      return [...base, ...own];
    },
  };
}

/** `streams.0.topics`: two names lead to a third, which can be any text. */
function namesOf(key: string): string[] {
  const [first = '', second, ...rest] = key.split('.');
  return second === undefined
    ? [first]
    : rest.length === 0
      ? [first, second]
      : [first, second, rest.join('.')];
}
