import { eventTypes, type Event, type NotificationType } from '@sluice/contracts';
import { moment, oneLine } from '../../../wording.ts';
import { auditTexts } from './audit.ts';
import { billingTexts } from './billing.ts';
import { deploymentTexts } from './deployments.ts';
import { healthTexts } from './health.ts';
import { fact, type Fact, type Notification, type Texts, type Wording } from './notification-text.ts';
import { operatorTexts } from './operators.ts';
import { organizationTexts } from './organization.ts';
import { peopleTexts } from './people.ts';
import { spendingTexts } from './spending.ts';

/** A type of the contracts without a text does not compile. */
const texts: Texts = {
  ...auditTexts,
  ...billingTexts,
  ...deploymentTexts,
  ...healthTexts,
  ...operatorTexts,
  ...organizationTexts,
  ...peopleTexts,
  ...spendingTexts,
};

/** no text of an event is longer than that, nor does it list more facts: a chat takes some thousand characters */
const mostCharacters = 300;
const mostOfParagraph = 1_000;
const mostFacts = 20;
const mostDepth = 8;

/**
 * What a channel tells people of an event. An event of a type that this release does not know, or whose data another release shapes
 * otherwise, is described by its label and its resources alone.
 */
export function renderNotification(event: Event): Notification {
  const tidied = tidy(event) as Event;
  const { subject, paragraphs, facts = [] } = wordingOf(tidied);
  return {
    subject: cut(subject, mostCharacters),
    body: paragraphs.map((paragraph) => cut(paragraph, mostOfParagraph)).join('\n\n'),
    facts: [...facts, ...commonFacts(tidied)].slice(0, mostFacts),
  };
}

function wordingOf(event: Event): Wording {
  const { type } = event;
  if (!isNotificationType(type)) return generic(event, type.replaceAll('_', ' '));
  const { success, data } = eventTypes[type].data.safeParse(event.data);
  if (!success) return generic(event, eventTypes[type].name);
  // one type of the union at a time: that of the text and that of the data are the same
  const write = texts[type] as (event: Omit<Event, 'data'> & { data: unknown }) => Wording;
  return write({ ...event, data });
}

function isNotificationType(type: string): type is NotificationType {
  return Object.hasOwn(texts, type);
}

function generic(event: Event, label: string): Wording {
  const { deployment, environment, division } = event;
  const of = (deployment ?? environment ?? division)?.name;
  const subject = of === undefined ? label : `${label}: ${of}`;
  return { subject, paragraphs: [`${subject}.`, 'The audit log says more.'] };
}

/** Where it was, who did it, and when. */
function commonFacts({ division, environment, deployment, author, api_key, occurred_at }: Event): Fact[] {
  return [
    ...(deployment ? [fact('Deployment', deployment.name)] : []),
    ...(environment ? [fact('Environment', environment.name)] : []),
    ...(division ? [fact('Division', division.name)] : []),
    ...(author ? [fact('By', author.name)] : []),
    ...(api_key ? [fact('API key', api_key.name)] : []),
    fact('Time', moment(new Date(occurred_at))),
  ];
}

/** The event with all its texts on one line and none of them too long; what is nested deeper than any event is left out. */
function tidy(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return cut(oneLine(value), mostCharacters);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > mostDepth) return null;
  if (Array.isArray(value)) return value.map((inner) => tidy(inner, depth + 1));
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, tidy(inner, depth + 1)]));
}

/** Whole characters: none is cut in two. */
function cut(text: string, most: number): string {
  const characters = [...text];
  return characters.length <= most ? text : `${characters.slice(0, most - 1).join('')}…`;
}
