import type { Template } from './template.ts';

export interface KeptTemplate extends Template {
  name: string;
  payload: string;
}

/** the oldest go first */
const most = 50;

/** Of each session those that people have named. They are in memory alone, and go with the session: a payload can be a secret. */
const kept = new WeakMap<object, readonly KeptTemplate[]>();

export const keptTemplates = (session: object): readonly KeptTemplate[] => kept.get(session) ?? [];

/** Keeps a template in place of one of its name. */
export function keepTemplate(session: object, template: KeptTemplate): void {
  const others = keptTemplates(session).filter(({ name }) => name !== template.name);
  kept.set(session, [...others, template].slice(-most));
}
