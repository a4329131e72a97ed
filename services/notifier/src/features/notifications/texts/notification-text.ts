import type { Event, EventData, NotificationType } from '@sluice/contracts';

/** What a channel tells people of an event. */
export interface Notification {
  /** one line, which names the resource */
  subject: string;
  /** plain text, paragraphs with an empty line between: what has happened, and what is to be done */
  body: string;
  /** the details, which some channels show as a table */
  facts: Fact[];
  /** where more can be seen */
  link?: string;
}

export interface Fact {
  name: string;
  value: string;
}

/** What is particular to a type of event; where it happened, who did it and when is added to each. */
export interface Wording {
  subject: string;
  paragraphs: string[];
  facts?: Fact[];
}

/** An event with the data of its type, all texts of which are one line. */
export type NotifiedEvent<Type extends NotificationType> = Omit<Event, 'type' | 'data'> & {
  data: EventData<Type>;
};

/** How each type of event is put into words. */
export type Texts = { [Type in NotificationType]: (event: NotifiedEvent<Type>) => Wording };

export const fact = (name: string, value: string | number): Fact => ({ name, value: String(value) });

/** `who`, where a person has done it; a deployment's nodes and times do things as well. */
export const by = ({ author }: Pick<Event, 'author'>) => (author ? ` by ${author.name}` : '');
