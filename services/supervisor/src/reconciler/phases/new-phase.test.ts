import type { DeploymentSpec } from '@sluice/contracts';
import { aDeployment, eventually } from '@sluice/testing';
import { untilStatus } from '#test/client.ts';
import { messagesAbout } from '#test/messages.ts';
import { supervisor } from '#test/region.ts';
import { createDrivers } from '../../drivers.ts';
import type { NetworkPhases } from '../../network/default-phases.ts';
import { installedPhases, provisioningPhases } from './registry.ts';
import { oneTimePhase, type Phase } from './phase.ts';

/** What adding a phase takes: this entry, and a driver that does it. */
const configuringCertificates = oneTimePhase({
  status: 'configuring_certificates',
  condition: 'CertificatesConfigured',
  lacking: 'the certificate is not issued',
  deadlineSeconds: 1,
});
const phases: Phase[] = provisioningPhases.map((phase) =>
  phase.status === 'configuring_certificates' ? configuringCertificates : phase,
);

type Work = NonNullable<NetworkPhases['configuring_certificates']>;

/** The drivers of an installation whose network has certificates. */
const driversWith =
  (issue: Work): typeof createDrivers =>
  async (...options) => {
    const { compute, network } = await createDrivers(...options);
    const added = { ...network.phases, configuring_certificates: issue };
    return { compute, network: { ...network, phases: added } };
  };

describe('a phase that is added', () => {
  const region = supervisor({ per: 'test' });
  let key: string;
  let issued: DeploymentSpec[];

  beforeEach(() => {
    issued = [];
  });

  async function deploy(issue: Work) {
    const { url } = await region.startWith({ drivers: driversWith(issue), phases });
    key = await region.key();
    const shape = aDeployment();
    await region.apply(shape);
    return { url, shape };
  }

  const conditionOf = async (id: number, type: string) =>
    (
      await region.sql(
        'SELECT status, reason, message, changed_at FROM deployment_conditions WHERE deployment_id = $1 AND type = $2',
        [id, type],
      )
    )[0];

  test('is gone through once, in its place, and leaves its condition', async () => {
    const { url, shape } = await deploy(async (_tx, deployment) => void issued.push(deployment));
    await untilStatus(url, key, shape.id, 'initialized');
    expect(issued).toMatchObject([{ id: shape.id }]);
    expect(await conditionOf(shape.id, 'CertificatesConfigured')).toEqual({
      status: 'True',
      reason: 'Completed',
      message: '',
      changed_at: expect.any(Date) as Date,
    });
    const reports = await eventually(async () => {
      const found = await messagesAbout<{ data: { status: string; connectors?: object } }>(
        region,
        'reports',
        shape.id,
      );
      // how connectors are is told by itself
      const ofStatus = found.filter(({ data }) => data.connectors === undefined);
      expect(ofStatus).toHaveLength(8);
      return ofStatus;
    });
    expect(reports.map(({ data }) => data.status)).toEqual([
      'creating',
      'creating_subnet',
      'securing_network',
      'configuring_dns',
      'configuring_certificates',
      'waiting_for_nodes',
      'deploying_nodes',
      'initialized',
    ]);
  });

  test('that its driver cannot do fails the deployment by its own deadline, and its condition tells why', async () => {
    const { url, shape } = await deploy(() => Promise.reject(new Error('the authority is away')));
    const reason =
      'configuring_certificates did not finish within 1 s: the certificate is not issued (the authority is away)';
    expect(await untilStatus(url, key, shape.id, 'failed')).toMatchObject({ status_reason: reason });
    expect(await conditionOf(shape.id, 'CertificatesConfigured')).toMatchObject({
      status: 'False',
      reason: 'DeadlineExceeded',
      message: reason,
    });
  });
});

describe('the phases of an installation', () => {
  const compute = { phases: ['waiting_for_nodes', 'deploying_nodes'] as const, options: {} };
  const drivers = (network: NetworkPhases) => ({
    compute: {
      ...compute,
      ensureNode: done,
      removeNode: done,
      observe: async () => ({ presence: 'none' as const }),
      list: async () => [],
    },
    network: { phases: network },
  });
  const done = () => Promise.resolve();

  test('are those that its drivers do, in the order of the registry', () => {
    const installed = installedPhases(drivers({ configuring_dns: done, creating_subnet: done }));
    expect(installed.map(({ status }) => status)).toEqual([
      'creating_subnet',
      'configuring_dns',
      'waiting_for_nodes',
      'deploying_nodes',
    ]);
  });

  test('have to be registered', () => {
    expect(() => installedPhases(drivers({ extending: done }))).toThrow('extending');
  });
});
