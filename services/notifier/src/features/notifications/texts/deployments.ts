import { listed, moment, quoted } from '../../../wording.ts';
import { by, fact, type Texts } from './notification-text.ts';
import { theDeployment } from './places.ts';

/** Storage, such as `network_balanced, 100 GB`. */
const storageOf = ({ type, size }: { type: string; size: number | null }) =>
  size === null ? type : `${type}, ${size} GB`;

const dollars = (amount: number) => `$${amount.toFixed(2)}`;

export const deploymentTexts = {
  deployment_created: (event) => ({
    subject: `Deployment ${quoted(event.data.name)} is being created`,
    paragraphs: [
      `${theDeployment(event, event.data)} was created${by(event)} and is being set up in ${event.data.region}.`,
      'You hear again as soon as it is ready for clients. Nothing is to be done until then.',
    ],
    facts: [
      fact('Tier', event.data.tier),
      fact('Cloud and region', `${event.data.cloud}, ${event.data.region}`),
      fact('Nodes', event.data.nodes.length),
      fact('Storage', storageOf({ type: event.data.storage_type, size: event.data.storage_size })),
    ],
  }),
  deployment_initialized: (event) => ({
    subject: `Deployment ${quoted(event.data.name)} is ready`,
    paragraphs: [
      `${theDeployment(event, event.data)} has been set up and runs.`,
      'Clients can connect: its address, login and certificate authority stand with the deployment. Add access rules for the ' +
        'networks that clients come from, if there are none yet.',
    ],
  }),
  deployment_upgraded: (event) => {
    const { from_tier, to_tier, from_storage, to_storage, nodes_before = 0, nodes_after = 0 } = event.data;
    const [before, after] = [storageOf(from_storage), storageOf(to_storage)];
    const name = quoted(event.deployment?.name ?? '');
    if (nodes_after > nodes_before)
      return {
        subject: `Deployment ${name} has ${nodes_after} nodes now`,
        paragraphs: [
          `${theDeployment(event)} was extended from ${nodes_before} to ${nodes_after} nodes, and all of them serve clients.`,
          'Nothing is to be done. From now on it costs what this many nodes cost.',
        ],
        facts: [fact('Nodes', `${nodes_before} → ${nodes_after}`)],
      };
    return {
      subject: `Deployment ${name} was upgraded to ${to_tier}`,
      paragraphs: [
        `${theDeployment(event)} has its new tier and storage, and clients can use it again.`,
        'Clients that were cut off meanwhile connect again by themselves; look at those that do not. From now on it costs what ' +
          'the new tier costs.',
      ],
      facts: [
        fact('Tier', from_tier === to_tier ? to_tier : `${from_tier} → ${to_tier}`),
        fact('Storage', before === after ? after : `${before} → ${after}`),
      ],
    };
  },
  deployment_deleted: (event) => ({
    subject: `Deployment ${quoted(event.data.name)} was deleted`,
    paragraphs: [
      `${theDeployment(event, event.data)} was deleted${by(event)}. Its nodes and what they stored are being removed, and ` +
        'clients cannot connect any more.',
      'That cannot be undone. If it was not intended, find out who did it: the audit log has the entry.',
    ],
    facts: event.data.reason === undefined ? [] : [fact('Reason', event.data.reason)],
  }),
  deployment_restored: (event) => {
    const { data } = event;
    const deleted = data.access_rules_deleted;
    const restored = data.access_rules_restored;
    return {
      subject: `Deployment ${quoted(data.name)} was restored by its region`,
      paragraphs: [
        `The database of the region was restored. ${theDeployment(event, data)} has the access rules and the login again ` +
          'that it had before that.',
        data.rebuilt
          ? 'The region had lost the deployment, and has made it anew. Compare its configurations, backups and network links with what you expect.'
          : 'Compare its configurations, backups and network links with what you expect.',
      ],
      facts: [
        fact('Access rules deleted again', String(deleted)),
        fact('Access rules restored', String(restored)),
        fact('Login', data.login_changed ? 'another one than before the restore: look it up' : 'unchanged'),
      ],
    };
  },
  deployment_data_lost: (event) => ({
    subject: `Deployment ${quoted(event.data.name)} has lost data`,
    paragraphs: [
      `${theDeployment(event, event.data)} has lost everything that these nodes stored: ` +
        `${listed(event.data.nodes.map(({ name }) => name))}.`,
      'They stay away until you decide: restore a backup, or accept the loss for each node, which then starts empty.',
    ],
    facts: [fact('Nodes', event.data.nodes.map(({ name }) => name).join(', '))],
  }),
  deployment_certificates_rotated: (event) => ({
    subject: `Deployment ${quoted(event.data.name)} has a new certificate`,
    paragraphs: [
      `${theDeployment(event, event.data)} was given a new certificate${by(event)}. It is good until ` +
        `${moment(new Date(event.data.not_after))}.`,
      'Clients that trust the authority need no change. Those that have the former certificate pinned refuse to connect until ' +
        'they are given the new one.',
    ],
    facts: [fact('Valid until', moment(new Date(event.data.not_after)))],
  }),
  deployment_secrets_rotated: (event) => {
    const until = moment(new Date(event.data.former_valid_to));
    return {
      subject: `Deployment ${quoted(event.data.name)} has a new login`,
      paragraphs: [
        `${theDeployment(event, event.data)} was given a new user name and password${by(event)}.`,
        `Give them to its clients: the former login works until ${until}, and no longer.`,
      ],
      facts: [fact('Former login valid until', until)],
    };
  },
  certificate_expiring: (event) => {
    const until = moment(new Date(event.data.not_after));
    return {
      subject: `Certificate of deployment ${quoted(event.data.name)} ends on ${until}`,
      paragraphs: [
        `${theDeployment(event, event.data)} has a certificate that ends on ${until}, and it could not be renewed: ` +
          `${event.data.reason.replace(/\.$/, '')}.`,
        'Renewing is tried on. If nothing changes, clients will refuse to connect from then on: rotate the certificate of the ' +
          'deployment, and talk to the operator of this installation if that fails as well.',
      ],
      facts: [fact('Valid until', until), fact('Reason', event.data.reason)],
    };
  },
  billing_limit_reached: (event) => {
    const { spend_limit, spent, until } = event.data;
    return {
      subject: `Deployment ${quoted(event.data.name)} has reached its spend limit and is stopped`,
      paragraphs: [
        `${theDeployment(event, event.data)} has cost ${dollars(spent)} this month, of at most ${dollars(spend_limit)}. Its brokers ` +
          'are stopped, and clients cannot connect. What is stored stays.',
        `Raise or clear its spend limit to start it at once; otherwise it starts by itself on ${moment(new Date(until))}, with ` +
          'the new month.',
      ],
      facts: [
        fact('Spent this month', dollars(spent)),
        fact('Spend limit', `${dollars(spend_limit)} a month`),
        fact('Starts again', moment(new Date(until))),
      ],
    };
  },
} satisfies Partial<Texts>;
