import { execFile } from 'node:child_process';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { testFolder } from './folder.ts';
import { issueLocalhost } from './localhost-certificate.ts';
import { answersOn, distinctPorts, keptInCache, restartable } from './optional-servers.ts';

const run = promisify(execFile);

const release = '4.1.1';

/** A broker of Kafka, which is its own controller. */
export interface KafkaServer {
  /** `name:port`, without a login */
  address: string;
  /** `name:port`, with TLS and a login by SASL as `user` */
  secureAddress: string;
  /** `name:port` at which the broker says that it is reached at 127.9.9.9 and another port, where nothing listens */
  strayAddress: string;
  strayAdvertisedPort: number;
  user: { username: string; password: string };
  /** PEM: the authority of its certificate, which is for localhost */
  ca: string;
  /** ends it as a power cut would */
  kill(): Promise<void>;
  /** starts it again with the same data */
  start(): Promise<void>;
  /** ends it and removes its data */
  remove(): Promise<void>;
}

/**
 * Starts Kafka. Its programs are fetched with Maven where `TEST_KAFKA` is set, and kept in `.cache`. Null, after one line that says so, where
 * they are not there, or there is no Java or no Maven.
 */
export async function startKafka(): Promise<KafkaServer | null> {
  const programs = await kafkaPrograms().catch((error: unknown) => error);
  if (typeof programs === 'string') return await start(programs);
  console.warn(`Tests against Kafka are left out, since it could not be had: ${String(programs)}`);
  return null;
}

async function kafkaPrograms(): Promise<string> {
  await run('java', ['-version']);
  return await keptInCache(`kafka-${release}`, '.', async (workshop) => {
    if (!process.env['TEST_KAFKA']) throw new Error('TEST_KAFKA=true has it fetched');
    await writeFile(
      join(workshop, 'pom.xml'),
      `<project><modelVersion>4.0.0</modelVersion><groupId>test</groupId><artifactId>kafka</artifactId><version>1</version>
       <dependencies><dependency><groupId>org.apache.kafka</groupId><artifactId>kafka_2.13</artifactId>
       <version>${release}</version></dependency></dependencies></project>`,
    );
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=programs'];
    await run('mvn', ['-q', '-B', ...goal], { cwd: workshop, timeout: 120_000 });
    const programs = join(workshop, 'programs');
    if ((await readdir(programs)).length === 0) throw new Error('Maven has fetched nothing');
    return programs;
  });
}

const user = { username: 'ada', password: 'correct-horse-battery' };

async function start(programs: string): Promise<KafkaServer> {
  const folder = await testFolder();
  const ports = await distinctPorts(5);
  const [port = 0, securePort = 0, strayPort = 0, strayAdvertisedPort = 0, controllerPort = 0] = ports;
  const { ca, key, certificate } = await issueLocalhost();
  await writeFile(join(folder, 'keystore.pem'), `${key}\n${certificate}`, { mode: 0o600 });
  const properties = join(folder, 'server.properties');
  await writeFile(
    properties,
    propertiesOf({ folder, port, securePort, strayPort, strayAdvertisedPort, controllerPort }),
  );
  const java = ['-Xmx256m', '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-cp', join(programs, '*')];
  const scram = ['256', '512'].flatMap((bits) => [
    '--add-scram',
    `SCRAM-SHA-${bits}=[name=${user.username},password=${user.password}]`,
  ]);
  const format = ['kafka.tools.StorageTool', 'format', '-t', 'MkU3OEVBNTcwNTJENDM2Qg', '-c', properties];
  await run('java', [...java, ...format, ...scram]);
  const broker = {
    name: 'Kafka',
    command: 'java',
    args: [...java, 'kafka.Kafka', properties],
    logFile: join(folder, 'kafka.log'),
  };
  const answers = async () => (await answersOn(port)) && (await answersOn(securePort));
  const { kill, start: startAgain } = await restartable(broker, answers);
  return {
    address: `127.0.0.1:${port}`,
    secureAddress: `localhost:${securePort}`,
    strayAddress: `127.0.0.1:${strayPort}`,
    strayAdvertisedPort,
    ...{ user, ca, kill, start: startAgain },
    remove: async () => {
      await kill();
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
    },
  };
}

interface Settings {
  folder: string;
  port: number;
  securePort: number;
  strayPort: number;
  strayAdvertisedPort: number;
  controllerPort: number;
}

function propertiesOf({
  folder,
  port,
  securePort,
  strayPort,
  strayAdvertisedPort,
  controllerPort,
}: Settings): string {
  const login = 'org.apache.kafka.common.security';
  const scram = `${login}.scram.ScramLoginModule required;`;
  return `
process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},SECURE://127.0.0.1:${securePort},STRAY://127.0.0.1:${strayPort},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},SECURE://localhost:${securePort},STRAY://127.9.9.9:${strayAdvertisedPort}
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,SECURE:SASL_SSL,STRAY:PLAINTEXT,CONTROLLER:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.secure.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${user.username}="${user.password}";
listener.name.secure.scram-sha-256.sasl.jaas.config=${scram}
listener.name.secure.scram-sha-512.sasl.jaas.config=${scram}
listener.name.secure.ssl.keystore.type=PEM
listener.name.secure.ssl.keystore.location=${join(folder, 'keystore.pem')}
log.dirs=${join(folder, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=1
group.initial.rebalance.delay.ms=0
`;
}
