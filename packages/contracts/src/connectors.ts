import { z } from 'zod';

/**
 * The catalogue of connectors (interface, 2.13 and 4.10): what can be activated on a deployment, and what a configuration of a
 * connector is about. It is code and no data of the operator's, since each entry stands for a plugin of the connectors runtime.
 */

export const connectorTypes = ['sink', 'source'] as const;
export type ConnectorType = (typeof connectorTypes)[number];

export const connectorStatuses = ['pending', 'active', 'inactive', 'failed'] as const;
export type ConnectorStatus = (typeof connectorStatuses)[number];

export interface Connector {
  /** unique among those of its type */
  key: string;
  type: ConnectorType;
  name: string;
  description: string;
  /** whether the plan has to have `advanced_connectors_enabled` */
  advanced: boolean;
}

const connector =
  (type: ConnectorType, advanced: boolean) =>
  (key: string, name: string, description: string): Connector => ({ key, type, name, description, advanced });
const sink = connector('sink', false);
const advancedSink = connector('sink', true);
const source = connector('source', false);
const advancedSource = connector('source', true);

export const connectors: readonly Connector[] = [
  sink(
    'stdout',
    'Standard output',
    'Writes messages to the log of the connectors runtime, to try things out',
  ),
  sink('http', 'HTTP', 'Posts messages to a web address'),
  sink('file', 'File', 'Appends messages to files on the node, a new one for each size or time'),
  sink('postgres', 'PostgreSQL', 'Inserts messages as rows of a table'),
  sink('mysql', 'MySQL', 'Inserts messages as rows of a table'),
  sink('mongodb', 'MongoDB', 'Inserts messages as documents of a collection'),
  sink('redis', 'Redis', 'Appends messages to a stream, or sets keys'),
  sink('elasticsearch', 'Elasticsearch', 'Indexes messages as documents'),
  sink('opensearch', 'OpenSearch', 'Indexes messages as documents'),
  sink('influxdb', 'InfluxDB', 'Writes messages as points of a time series'),
  sink('mqtt', 'MQTT', 'Publishes messages on a topic of another broker'),
  advancedSink('kafka', 'Kafka', 'Produces messages to a topic of another cluster'),
  advancedSink('clickhouse', 'ClickHouse', 'Inserts messages in batches as rows of a table'),
  advancedSink('object-storage', 'Object storage', 'Writes batches of messages as objects of a bucket'),
  source('random', 'Random data', 'Makes messages up, to try things out'),
  source('http', 'HTTP', 'Asks a web address for messages, again and again'),
  source('postgres', 'PostgreSQL', 'Reads new and changed rows of tables'),
  source('mqtt', 'MQTT', 'Subscribes to topics of another broker'),
  advancedSource('kafka', 'Kafka', 'Consumes topics of another cluster'),
];

const byName = new Map(connectors.map((one) => [`${one.type} ${one.key}`, one]));

/** The connector of this type and key, if the catalogue has it. */
export function findConnector(type: ConnectorType, key: string): Connector | undefined {
  return byName.get(`${type} ${key}`);
}

/** instances that one deployment may have, those that its region has refused of late included */
export const mostConnectorInstances = 100;

/** plugins that a region tells of: more than there are */
export const mostReportedPlugins = 200;

/** How instances are named in paths and as kinds of configuration. */
export const instanceKeySchema = z.string().regex(/^[a-z0-9]([a-z0-9_-]{0,61}[a-z0-9])?$/);
