import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';
import {
  ConfigurationRefused,
  type BrokerConfiguration,
  type BrokerRuntime,
  type DesiredBroker,
} from '../runtimes/runtime.ts';

import { writeConfiguration, type BrokerFiles } from './broker-process.ts';

const run = promisify(execFile);
/** how long a program may take to read its configuration, in milliseconds; one that takes longer is not asked */
const testLimit = 10_000;
const longestReason = 400;

/**
 * Has the broker's program read a configuration without taking it up, where it can do that: so none that runs is ended for one that
 * would not start.
 * @throws ConfigurationRefused with what the program says, without passwords
 */
export async function testConfiguration(
  files: BrokerFiles,
  runtime: BrokerRuntime,
  configuration: BrokerConfiguration,
  { credentials, former_credentials = [], cluster }: DesiredBroker,
): Promise<void> {
  const file = files.candidate;
  const programArguments = runtime.testArguments?.(file);
  if (programArguments === undefined) return;
  await writeConfiguration({ ...files, configuration: file }, configuration);
  try {
    const env = { ...process.env, ...runtime.testEnvironment?.(configuration) };
    await run(runtime.program, programArguments, { env, timeout: testLimit, killSignal: 'SIGKILL' });
  } catch (error) {
    const { code, stdout = '', stderr = '' } = error as { code?: unknown; stdout?: string; stderr?: string };
    // a program that is missing, or was killed, says nothing of the configuration
    if (typeof code !== 'number') return;
    const output = runtime.testReason?.(file, `${stdout}\n${stderr}`) ?? '';
    const logins = [credentials, ...former_credentials, ...(cluster ? [cluster.credentials] : [])];
    const secrets = logins.map(({ password }) => password);
    const reason = secrets
      .reduce((text, secret) => text.replaceAll(secret, '***'), output)
      .slice(0, longestReason);
    throw new ConfigurationRefused(reason === '' ? 'the broker does not take it' : reason);
  } finally {
    await rm(file, { force: true });
  }
}
