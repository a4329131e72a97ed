import type { ConnectorType } from '@sluice/contracts';
import type { ConnectorPlugin } from '../plugin.ts';
import { httpSink } from './http-sink.ts';
import { postgresSink } from './postgres-sink.ts';
import { postgresSource } from './postgres-source.ts';

/** All plugins. A plugin that is not there is not reported as available by any node. */
export const plugins: readonly ConnectorPlugin[] = [httpSink, postgresSink, postgresSource];

const byName = new Map(plugins.map((plugin) => [`${plugin.type} ${plugin.key}`, plugin]));

export function findPlugin(type: ConnectorType, key: string): ConnectorPlugin | undefined {
  return byName.get(`${type} ${key}`);
}
