import type { DiscardPolicy, RetentionPolicy, StorageType, StreamConfig } from '@nats-io/jetstream';

/** What people fill in of a stream's configuration. */
export interface StreamForm {
  name: string;
  description: string;
  /** one per line */
  subjects: string;
  retention: RetentionPolicy;
  storage: StorageType;
  discard: DiscardPolicy;
  maxMessages: string;
  maxBytes: string;
  maxAge: string;
  maxPerSubject: string;
  maxMessageSize: string;
  replicas: string;
}

const limitText = (limit: number | undefined) => (limit === undefined || limit <= 0 ? '' : String(limit));

/** @param config of a stream that is there; without it the form of a new one */
export function streamForm(config?: StreamConfig): StreamForm {
  return {
    name: config?.name ?? '',
    description: config?.description ?? '',
    subjects: config?.subjects?.join('\n') ?? '',
    retention: config?.retention ?? 'limits',
    storage: config?.storage ?? 'file',
    discard: config?.discard ?? 'old',
    maxMessages: limitText(config?.max_msgs),
    maxBytes: limitText(config?.max_bytes),
    maxAge: limitText((config?.max_age ?? 0) / 1e9),
    maxPerSubject: limitText(config?.max_msgs_per_subject),
    maxMessageSize: limitText(config?.max_msg_size),
    replicas: String(config?.num_replicas ?? 1),
  };
}

export type FormIssues = Partial<Record<keyof StreamForm, string>>;

const counts = ['maxMessages', 'maxBytes', 'maxPerSubject', 'maxMessageSize'] as const;

/** What is wrong with a form, by field. */
export function formIssues(form: StreamForm): FormIssues {
  const issues: FormIssues = {};
  if (!/^[^\s.*>/\\]{1,255}$/.test(form.name))
    issues.name = 'A name has no spaces, dots, slashes and wildcards.';
  for (const key of counts)
    if (form[key] !== '' && !/^[1-9]\d{0,14}$/.test(form[key])) issues[key] = 'A whole number, or nothing.';
  if (form.maxAge !== '' && !(Number(form.maxAge) > 0 && Number(form.maxAge) < 1e10))
    issues.maxAge = 'Seconds, or nothing.';
  if (!/^[1-5]$/.test(form.replicas)) issues.replicas = 'From 1 to 5.';
  if (subjectsOf(form).some((subject) => /\s/.test(subject))) issues.subjects = 'A subject has no spaces.';
  return issues;
}

const subjectsOf = ({ subjects }: StreamForm): string[] =>
  subjects
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

const limit = (text: string) => (text === '' ? -1 : Number(text));

/** The configuration that a form without issues stands for. Of a stream that is there the rest stays as it is. */
export function configOf(form: StreamForm, before?: StreamConfig): Partial<StreamConfig> & { name: string } {
  const subjects = subjectsOf(form);
  return {
    ...(before ?? { allow_direct: true }),
    name: form.name,
    ...((form.description !== '' || before?.description) && { description: form.description }),
    // one that is filled from others has none
    ...((subjects.length > 0 || before?.subjects) && { subjects }),
    retention: form.retention,
    storage: form.storage,
    discard: form.discard,
    max_msgs: limit(form.maxMessages),
    max_bytes: limit(form.maxBytes),
    max_age: form.maxAge === '' ? 0 : Math.round(Number(form.maxAge) * 1e9),
    max_msgs_per_subject: limit(form.maxPerSubject),
    max_msg_size: limit(form.maxMessageSize),
    num_replicas: Number(form.replicas),
  };
}
