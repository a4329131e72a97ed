import { moment, quoted } from '../../../wording.ts';
import { fact, type Texts, type NotifiedEvent, type Wording } from './notification-text.ts';
import { theDeployment } from './places.ts';

/** What is measured, and what helps where it is too much. */
const measures = {
  cpu: {
    of: 'processor',
    advice:
      'If it stays like that, messages are delayed. Look at which clients send most, and upgrade the deployment to a larger tier if ' +
      'the load is there to stay.',
  },
  memory: {
    of: 'memory',
    advice:
      'A broker without memory is ended and starts again. Look at the number of clients and at what is kept in memory, and upgrade ' +
      'the deployment to a larger tier if the load is there to stay.',
  },
  disk: {
    of: 'disk',
    advice:
      'A full disk refuses messages. Shorten how long messages are kept, delete what is not read, or upgrade the storage of the ' +
      'deployment.',
  },
} as const;

type Usage = NotifiedEvent<'high_cpu_usage'>;

const tooMuch =
  (measure: keyof typeof measures) =>
  (event: Usage): Wording => {
    const { of, advice } = measures[measure];
    const { name, node, percent, threshold, since } = event.data;
    return {
      subject: `High ${of} usage on ${node.name} of deployment ${quoted(name)}: ${percentage(percent)}`,
      paragraphs: [
        `${theDeployment(event, event.data)} uses ${percentage(percent)} of the ${of} of its node ${node.name}, above ` +
          `${percentage(threshold)} since ${moment(new Date(since))}.`,
        advice,
      ],
      facts: usageFacts(event),
    };
  };

const lessAgain =
  (measure: keyof typeof measures) =>
  (event: Usage): Wording => {
    const { of } = measures[measure];
    const { name, node, percent, since } = event.data;
    return {
      subject: `${capital(of)} usage on ${node.name} of deployment ${quoted(name)} is normal again: ${percentage(percent)}`,
      paragraphs: [
        `${theDeployment(event, event.data)} uses ${percentage(percent)} of the ${of} of its node ${node.name}. It was too much since ` +
          `${moment(new Date(since))}.`,
        'Nothing is to be done any more.',
      ],
      facts: usageFacts(event),
    };
  };

function usageFacts({ data }: Usage) {
  return [
    fact('Node', data.node.name),
    fact('Usage', percentage(data.percent)),
    fact('Threshold', percentage(data.threshold)),
  ];
}

type Reachability = NotifiedEvent<'node_unreachable'>;

const programs = {
  agent: 'The agent',
  gateway: 'The gateway',
  broker: 'The broker',
  connectors: 'The connectors runtime',
} as const;

/** What is away: the connector `audit-copy (http-sink, instance 7)` on a node, or a program of it. */
function whatIsAway({ data }: Reachability): string {
  const { node, runtime, connector_instance_id, connector_instance_name, connector_key } = data;
  if (runtime === 'node') return `Node ${node.name}`;
  if (connector_instance_name === undefined) return `${programs[runtime]} of ${node.name}`;
  const named = [connector_key, `instance ${connector_instance_id ?? 'unknown'}`].filter(Boolean).join(', ');
  return `Connector ${quoted(connector_instance_name)} (${named}) on ${node.name}`;
}

function advice({ connector_instance_name, runtime }: Reachability['data']): string {
  if (connector_instance_name !== undefined)
    return 'Messages wait for it meanwhile. Its status says why it does not run: often what it connects to is away, or its settings are wrong.';
  if (runtime === 'node' || runtime === 'agent')
    return 'Nothing is known of what runs there. Clients may still be served; if it stays away, retry the deployment, and in a cloud account of your own look at the machine.';
  if (runtime === 'connectors')
    return 'No connector of this node runs. Messages wait for them. It is started again by itself; the logs say why it ended.';
  return 'Clients cannot use this node. It is started again by itself; the logs say why it ended.';
}

function reachabilityFacts({ data }: Reachability) {
  const { connector_instance_name, connector_key, connector_instance_id } = data;
  return [
    fact('Node', data.node.name),
    ...(connector_instance_name === undefined ? [] : [fact('Connector', connector_instance_name)]),
    ...(connector_key === undefined ? [] : [fact('Connector key', connector_key)]),
    ...(connector_instance_id === undefined ? [] : [fact('Connector instance', connector_instance_id)]),
    fact('Since', moment(new Date(data.since))),
  ];
}

type Lag = NotifiedEvent<'consumer_lag_high'>;

const lagFacts = ({ data }: Lag) => [
  fact('Stream', data.stream),
  fact('Consumer', data.consumer),
  fact('Messages waiting', data.pending.toLocaleString('en')),
  fact('Threshold', data.threshold.toLocaleString('en')),
];

const percentage = (value: number) => `${Math.round(value)} %`;
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

export const healthTexts = {
  high_cpu_usage: tooMuch('cpu'),
  high_memory_usage: tooMuch('memory'),
  high_disk_usage: tooMuch('disk'),
  cpu_usage_resolved: lessAgain('cpu'),
  memory_usage_resolved: lessAgain('memory'),
  disk_usage_resolved: lessAgain('disk'),
  node_unreachable: (event) => ({
    subject: `${whatIsAway(event)} of deployment ${quoted(event.data.name)} is unreachable`,
    paragraphs: [
      `${theDeployment(event, event.data)}: ${lower(whatIsAway(event))} has not been heard of or has not run since ` +
        `${moment(new Date(event.data.since))}.`,
      advice(event.data),
    ],
    facts: reachabilityFacts(event),
  }),
  node_reachable: (event) => ({
    subject: `${whatIsAway(event)} of deployment ${quoted(event.data.name)} is back`,
    paragraphs: [
      `${theDeployment(event, event.data)}: ${lower(whatIsAway(event))} runs again. It was away since ` +
        `${moment(new Date(event.data.since))}.`,
      'Nothing is to be done any more.',
    ],
    facts: reachabilityFacts(event),
  }),
  consumer_lag_high: (event) => ({
    subject: `Consumer ${quoted(event.data.consumer)} of deployment ${quoted(event.data.name)} lags by ${messages(event.data.pending)}`,
    paragraphs: [
      `${theDeployment(event, event.data)}: ${messages(event.data.pending)} of the stream ${quoted(event.data.stream)} wait for its consumer ` +
        `${quoted(event.data.consumer)}, ${event.data.threshold.toLocaleString('en')} or more since ${moment(new Date(event.data.since))}.`,
      'Look at whether its clients run and acknowledge what they get, and start more of them if messages come faster than they are handled.',
    ],
    facts: lagFacts(event),
  }),
  consumer_lag_high_resolved: (event) => ({
    subject: `Consumer ${quoted(event.data.consumer)} of deployment ${quoted(event.data.name)} has caught up: ${messages(event.data.pending)} wait`,
    paragraphs: [
      `${theDeployment(event, event.data)}: ${messages(event.data.pending)} of the stream ${quoted(event.data.stream)} wait for its consumer ` +
        `${quoted(event.data.consumer)}. It lagged since ${moment(new Date(event.data.since))}.`,
      'Nothing is to be done any more.',
    ],
    facts: lagFacts(event),
  }),
} satisfies Partial<Texts>;

const messages = (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'message' : 'messages'}`;

function lower(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
