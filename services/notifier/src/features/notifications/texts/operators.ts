import { listed, moment, quoted } from '../../../wording.ts';
import { fact, type Fact, type NotifiedEvent, type Texts, type Wording } from './notification-text.ts';
import { theDeployment } from './places.ts';

type Maintenance = NotifiedEvent<'maintenance_planned'>;

const nodesOf = ({ data }: Maintenance) => listed(data.nodes.map(({ name }) => name));
const startOf = ({ data }: Maintenance) => moment(new Date(data.starts_at));

function maintenanceFacts(event: Maintenance): Fact[] {
  const { nodes, minutes, reason } = event.data;
  return [
    fact('Nodes', nodes.map(({ name }) => name).join(', ')),
    fact('Start', startOf(event)),
    fact('Expected to take', `${minutes} minutes`),
    ...(reason === undefined ? [] : [fact('Reason', reason)]),
  ];
}

const maintenanceText =
  (happened: (event: Maintenance) => string, paragraphs: (event: Maintenance) => string[]) =>
  (event: Maintenance): Wording => ({
    subject: `Maintenance of deployment ${quoted(event.data.name)} ${happened(event)}`,
    paragraphs: paragraphs(event),
    facts: maintenanceFacts(event),
  });

/** `: new memory`, before the end of a sentence. */
const because = ({ reason }: { reason?: string | undefined }) =>
  reason === undefined ? '' : `: ${reason.replace(/\.$/, '')}`;

const place = ({ data }: NotifiedEvent<'region_drained'>) => `${data.region} of ${data.cloud}`;

/** What the operator of the installation does. */
export const operatorTexts = {
  region_drained: (event) => ({
    subject: `Region ${place(event)} takes no new deployments`,
    paragraphs: [
      `The operator has closed the region ${place(event)} for new deployments${because(event.data)}.`,
      'Deployments there continue, and can be changed and upgraded. Create new ones in another region.',
    ],
  }),
  region_undrained: (event) => ({
    subject: `Region ${place(event)} takes new deployments again`,
    paragraphs: [
      `The operator has opened the region ${place(event)} for new deployments.`,
      'Nothing is to be done.',
    ],
  }),
  maintenance_planned: maintenanceText(
    (event) => `on ${startOf(event)}`,
    (event) => [
      `${theDeployment(event, event.data)}: the operator works on the machines of ${nodesOf(event)} from ${startOf(event)} on, for ` +
        `about ${event.data.minutes} minutes${because(event.data)}.`,
      'Their brokers are stopped meanwhile. Clients of a single broker are cut off and connect again afterwards; those of a cluster ' +
        'use its other nodes, if they know their endpoints.',
    ],
  ),
  maintenance_began: maintenanceText(
    () => 'has begun',
    (event) => [
      `${theDeployment(event, event.data)}: the brokers of ${nodesOf(event)} are being stopped${because(event.data)}.`,
      'You hear again when it is over. Nothing is to be done until then.',
    ],
  ),
  maintenance_ended: maintenanceText(
    () => 'is over',
    (event) => [
      `${theDeployment(event, event.data)}: the brokers of ${nodesOf(event)} are as they were before.`,
      'Clients that were cut off connect again by themselves; look at those that do not.',
    ],
  ),
  maintenance_cancelled: maintenanceText(
    () => 'was cancelled',
    (event) => [
      `${theDeployment(event, event.data)}: there is no maintenance on ${startOf(event)}.`,
      'Nothing is to be done.',
    ],
  ),
} satisfies Partial<Texts>;
