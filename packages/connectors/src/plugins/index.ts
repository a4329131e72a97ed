import type { ConnectorType } from '@sluice/contracts';
import type { ConnectorPlugin } from '../plugin.ts';
import { clickhouseSink } from './clickhouse-sink.ts';
import { elasticsearchSink } from './elasticsearch-sink.ts';
import { fileSink } from './file-sink.ts';
import { httpSink } from './http-sink.ts';
import { httpSource } from './http-source.ts';
import { influxdbSink } from './influxdb-sink.ts';
import { kafkaSink } from './kafka-sink.ts';
import { kafkaSource } from './kafka-source.ts';
import { mongodbSink } from './mongodb-sink.ts';
import { mqttSink } from './mqtt-sink.ts';
import { mqttSource } from './mqtt-source.ts';
import { mysqlSink } from './mysql-sink.ts';
import { objectStorageSink } from './object-storage-sink.ts';
import { opensearchSink } from './opensearch-sink.ts';
import { postgresSink } from './postgres-sink.ts';
import { postgresSource } from './postgres-source.ts';
import { randomSource } from './random-source.ts';
import { redisSink } from './redis-sink.ts';
import { stdoutSink } from './stdout-sink.ts';

/** All plugins. A plugin that is not there is not reported as available by any node. */
export const plugins: readonly ConnectorPlugin[] = [
  stdoutSink,
  clickhouseSink,
  elasticsearchSink,
  fileSink,
  httpSink,
  httpSource,
  influxdbSink,
  kafkaSink,
  kafkaSource,
  mongodbSink,
  mqttSink,
  mqttSource,
  mysqlSink,
  objectStorageSink,
  opensearchSink,
  postgresSink,
  randomSource,
  redisSink,
  postgresSource,
];

const byName = new Map(plugins.map((plugin) => [`${plugin.type} ${plugin.key}`, plugin]));

export function findPlugin(type: ConnectorType, key: string): ConnectorPlugin | undefined {
  return byName.get(`${type} ${key}`);
}
